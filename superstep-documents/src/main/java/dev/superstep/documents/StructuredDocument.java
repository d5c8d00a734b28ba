package dev.superstep.documents;

import java.util.List;

/// A document as a sequence of blocks that know their places. Immutable.
///
/// ```java
/// var document = DocumentLoader.standard().load(SourceDocument.file(folder, file));
/// for (var block : document.blocks()) System.out.println(block.place().lines() + block.text());
/// ```
///
/// @param id unique in an index; the ids of its chunks begin with it
/// @param source shown to readers, such as a path or an address
/// @param title as the document states it, or empty
/// @param text the texts of all blocks, with an empty line between them
/// @param blocks in the order of the document
public record StructuredDocument(
    String id, String source, String title, String text, List<Block> blocks) {
  /// @throws IllegalArgumentException if a block's offsets are not those of its text
  public StructuredDocument {
    blocks = List.copyOf(blocks);
    for (var block : blocks) {
      var place = block.place();
      boolean isThere =
          place.end() <= text.length()
              && text.regionMatches(place.start(), block.text(), 0, block.text().length())
              && place.end() - place.start() == block.text().length();
      if (!isThere) {
        throw new IllegalArgumentException(
            "a block from %d to %d must have the text of the document there"
                .formatted(place.start(), place.end()));
      }
    }
  }

  /// Starts a document that a loader adds its blocks to, within limits.
  public static StructuredDocumentBuilder builder(SourceDocument from, DocumentLimits limits) {
    return new StructuredDocumentBuilder(from, limits);
  }

  /// The number of the last page, or 0 if the document has no pages.
  public int pages() {
    int last = 0;
    for (var block : blocks) last = Math.max(last, block.place().page().orElse(0));
    return last;
  }

  @Override
  public String toString() {
    return "StructuredDocument[%s, %d blocks, %d characters]"
        .formatted(id, blocks.size(), text.length());
  }
}
