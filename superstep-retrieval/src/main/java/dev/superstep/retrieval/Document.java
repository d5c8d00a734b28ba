package dev.superstep.retrieval;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// A text that is to be found again by its parts, and where it came from. Immutable.
///
/// ```java
/// var document = Document.of("faq.md", text).with("lang", "en");
/// ```
///
/// @param id names it among all documents of an index; its chunks are named after it
/// @param text may be blank: then it has no chunks
/// @param metadata what searches can filter by
/// @param source what a reader is told, such as a file or an address; several documents may have
///   the same
public record Document(String id, String text, Map<String, String> metadata, String source) {
  /// How many bytes an id may have.
  public static final int ID_BYTES_MAX = 900;

  /// @throws InvalidDocument if the id or the source is blank, the id is too long, or a text is no
  ///   proper text
  public Document {
    metadata = IndexableText.sorted("document", id, metadata);
    IndexableText.checkName("document", "id", id);
    IndexableText.checkName("document", "source", source);
    IndexableText.check("document", id, "text", text);
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > ID_BYTES_MAX) {
      throw new InvalidDocument(
          "document",
          id,
          "has an id of %,d bytes; %,d are allowed. Use a digest of what is long."
              .formatted(bytes, ID_BYTES_MAX));
    }
  }

  /// A document that is its own source, without metadata.
  public static Document of(String id, String text) {
    return new Document(id, text, Map.of(), id);
  }

  /// The same with one more fact about it.
  public Document with(String key, String value) {
    var more = new TreeMap<>(metadata);
    more.put(key, value);
    return new Document(id, text, more, source);
  }

  /// The same from another source.
  public Document from(String origin) {
    return new Document(id, text, metadata, origin);
  }
}
