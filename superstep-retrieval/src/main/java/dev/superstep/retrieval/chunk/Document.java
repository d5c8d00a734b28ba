package dev.superstep.retrieval.chunk;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// A text to be indexed in parts, and its source. Immutable.
///
/// ```java
/// var document = Document.of("faq.md", text).with("lang", "en");
/// ```
///
/// @param id unique in an index; the ids of its chunks begin with it
/// @param text may be blank, which makes no chunks
/// @param metadata facts that searches can filter by
/// @param source shown to readers, such as a file or an address; several documents may share it
public record Document(String id, String text, Map<String, String> metadata, String source) {
  /// The maximum length of an id, in bytes.
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

  /// Returns a copy with another metadata entry.
  public Document with(String key, String value) {
    var more = new TreeMap<>(metadata);
    more.put(key, value);
    return new Document(id, text, more, source);
  }

  /// Returns a copy with another source.
  public Document from(String origin) {
    return new Document(id, text, metadata, origin);
  }
}
