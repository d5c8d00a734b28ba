package dev.superstep.model.wire;

import dev.superstep.message.Content;
import java.util.Locale;

/// Files by their media types, in the terms of vendors.
final class Media {
  private Media() {}

  static boolean isPdf(String type) {
    return type.equals("application/pdf");
  }

  /// A data URL.
  static String url(String type, String base64) {
    return "data:" + type + ";base64," + base64;
  }

  /// The format of a recording as OpenAI names it; empty if it takes none of this type.
  static String audioFormat(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "audio/wav", "audio/x-wav", "audio/wave" -> "wav";
      case "audio/mpeg", "audio/mp3" -> "mp3";
      default -> "";
    };
  }

  /// The name of a file; OpenAI demands one.
  static String name(Content.File file) {
    if (!file.name().isBlank()) return file.name();
    var type = file.mediaType();
    return "file." + type.substring(type.indexOf('/') + 1);
  }

  /// The words for a part that a vendor does not take, in a refusal.
  static String unknown(String type) {
    return "it takes no files of type " + type + " here; choose a model that does, or send text";
  }
}
