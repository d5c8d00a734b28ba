package dev.superstep.retrieval.chunk;

import dev.superstep.retrieval.internal.Digests;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// A passage of a document, short enough to be embedded as a whole. Immutable.
///
/// @param id its name in an index; a chunk with the same id replaces it
/// @param text not blank, because a blank text has no meaning
/// @param metadata facts that searches can filter by
public record Chunk(String id, String text, Map<String, String> metadata, Provenance provenance) {
  /// The maximum length of an id, in bytes.
  public static final int ID_BYTES_MAX = 1_000;

  private static final int GENERATED_LENGTH = 32;

  /// The part of a document that a chunk was cut from: `document.text().substring(start, end)` is
  /// its text.
  ///
  /// @param document the id of the document
  /// @param source the source of the document
  public record Provenance(String document, String source, int start, int end) {
    /// @throws InvalidDocument if a name is blank or the offsets are no range
    public Provenance {
      IndexableText.checkName("document", "id", document);
      IndexableText.checkName("document", "source", source);
      if (start < 0 || end < start) {
        throw new InvalidDocument(
            "document",
            document,
            "has no characters from %d to %d. Give offsets in its text.".formatted(start, end));
      }
    }
  }

  /// @throws InvalidDocument if the id or the text is blank, the id is too long, or a text is no
  ///   proper text
  public Chunk {
    metadata = IndexableText.sorted("chunk", id, metadata);
    IndexableText.checkName("chunk", "id", id);
    IndexableText.check("chunk", id, "text", text);
    if (text.isBlank()) {
      throw new InvalidDocument(
          "chunk", id, "has a blank text, which has no meaning to find. Leave it out.");
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > ID_BYTES_MAX) {
      throw new InvalidDocument(
          "chunk",
          id,
          "has an id of %,d bytes; %,d are allowed. Use a digest of what is long."
              .formatted(bytes, ID_BYTES_MAX));
    }
  }

  /// A chunk that is a document of its own.
  public static Chunk of(String id, String text) {
    return new Chunk(id, text, Map.of(), new Provenance(id, id, 0, text.length()));
  }

  /// A chunk whose id is made from its text, so that a node that runs again adds it only once.
  public static Chunk of(String text) {
    return of(Digests.sha256(text).substring(0, GENERATED_LENGTH), text);
  }

  /// Returns a copy with another metadata entry.
  public Chunk with(String key, String value) {
    var more = new TreeMap<>(metadata);
    more.put(key, value);
    return new Chunk(id, text, more, provenance);
  }

  /// Returns a copy with another source.
  public Chunk from(String source) {
    var place = provenance;
    return new Chunk(
        id, text, metadata, new Provenance(place.document(), source, place.start(), place.end()));
  }
}
