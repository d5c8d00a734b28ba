package dev.superstep.message;

import dev.superstep.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A part of a message. Immutable.
public sealed interface Content {
  /// Plain text.
  record Text(String text) implements Content {}

  /// A JSON value, which models are shown as text.
  record Data(Json json) implements Content {}

  /// A picture.
  ///
  /// @param mediaType such as `image/png`
  /// @param base64 its bytes
  record Image(String mediaType, String base64) implements Content {}

  /// A picture that the vendor fetches.
  record ImageLink(URI url) implements Content {}

  /// A document, a recording or a film: a PDF, audio or video.
  ///
  /// @param mediaType such as `application/pdf`, `audio/wav` or `video/mp4`
  /// @param base64 its bytes
  /// @param name of the file, which some vendors show to the model; may be empty
  record File(String mediaType, String base64, String name) implements Content {
    /// A file without a name.
    public File(String mediaType, String base64) {
      this(mediaType, base64, "");
    }
  }

  /// A document, a recording or a film that the vendor fetches.
  ///
  /// @param mediaType such as `application/pdf`
  record FileLink(String mediaType, URI url) implements Content {}

  /// A model's thoughts before its text. Shown to people, and returned to the vendor that sealed
  /// them; never part of the text.
  ///
  /// @param seal what the vendor wants back with it
  record Thinking(String text, Optional<Seal> seal) implements Content {}

  /// Something that only one vendor understands. Given back to that vendor and left out for others.
  record Extension(Seal seal) implements Content {}

  /// A value that a vendor attaches to its replies and wants back unchanged, such as a signature.
  ///
  /// @param vendor the scheme of the vendor's model URLs
  record Seal(String vendor, Json data) {}

  /// Some text as content: one part, or none if it is empty.
  static List<Content> of(String text) {
    return text.isEmpty() ? List.of() : List.of(new Text(text));
  }

  /// The text of a message: its texts and JSON values, joined.
  static String text(List<Content> parts) {
    // Nearly all messages are one text.
    if (parts.isEmpty()) return "";
    if (parts.size() == 1 && parts.getFirst() instanceof Text(var text)) return text;
    return parts.stream().map(Content::describe).collect(Collectors.joining());
  }

  private static String describe(Content part) {
    return switch (part) {
      case Text(var text) -> text;
      case Data(var json) -> json.text();
      case Image _, ImageLink _, File _, FileLink _, Thinking _, Extension _ -> "";
    };
  }
}
