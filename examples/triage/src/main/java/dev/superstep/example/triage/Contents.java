package dev.superstep.example.triage;

import java.nio.charset.StandardCharsets;

/// What is in a file: text, or the reason why it is not read.
sealed interface Contents {
  /// What a message may be.
  record Text(String text) implements Contents {}

  /// It is not read.
  ///
  /// @param reason completes a sentence that begins with the file's name
  record Refused(String reason) implements Contents {}

  /// Decodes UTF-8. A few wrong bytes, as in old encodings, become replacement characters.
  static Contents of(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    if (text.startsWith("\uFEFF")) text = text.substring(1);
    if (text.isBlank()) return new Refused("is empty");
    long wrong = text.chars().filter(c -> c == '\uFFFD').count();
    if (text.indexOf('\0') >= 0 || wrong * 10 > text.length()) {
      return new Refused("is not text in UTF-8");
    }
    return new Text(text);
  }
}
