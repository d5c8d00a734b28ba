package dev.superstep.example.triage;

import java.util.regex.Pattern;

/// One message as it came. Nothing in it is trusted.
record Letter(Heading heading, String text) {
  /// How much of a message the model reads, in characters. The rules read all of it.
  static final int READ_MAX = 2_000;

  private static final Pattern HEADERS = Pattern.compile("\\A(?:[A-Za-z-]{1,40}:.*\\R)++\\R?");
  private static final Pattern SENDER = Pattern.compile("(?m)^From: *(.{1,200})$");
  private static final Pattern SUBJECT = Pattern.compile("(?m)^Subject: *(.{1,200})$");

  /// Takes the headers off, if the text begins with some.
  static Letter parse(String file, String content) {
    var headers = HEADERS.matcher(content);
    int start = headers.lookingAt() ? headers.end() : 0;
    var head = content.substring(0, start);
    var text = content.substring(start).strip();
    return new Letter(
        new Heading(file, first(SENDER, head), first(SUBJECT, head), text.length()), text);
  }

  /// What the model reads: the beginning, never half of a surrogate pair.
  String beginning() {
    if (text.length() <= READ_MAX) return text;
    int end = Character.isHighSurrogate(text.charAt(READ_MAX - 1)) ? READ_MAX - 1 : READ_MAX;
    return text.substring(0, end);
  }

  private static String first(Pattern pattern, String head) {
    var found = pattern.matcher(head);
    return found.find() ? found.group(1).strip() : "";
  }
}
