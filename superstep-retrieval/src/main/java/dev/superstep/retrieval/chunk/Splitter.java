package dev.superstep.retrieval.chunk;

import java.util.List;

/// Cuts documents into chunks. The same document always gives the same chunks, with the same ids:
/// the document's id, `#`, and their number. Safe for many threads.
///
/// ```java
/// var chunks = Splitter.markdown(1_000, 100).split(Document.of("faq.md", text));
/// ```
public interface Splitter {
  /// The chunks of a document, in the order of its text.
  List<Chunk> split(Document document);

  /// Names the way it cuts. Documents that were cut in another way are indexed again.
  String id();

  /// Cuts where the text itself has a cut: between paragraphs; where those are too long, between
  /// lines, then sentences, then words, and within a word only if nothing else is left. Characters
  /// outside the BMP stay whole. Without an overlap the chunks one after another are the text,
  /// except for pieces that were nothing but white space.
  ///
  /// @param max how many characters a chunk has at most; at least 4
  /// @param overlap how many characters of the text before it a chunk repeats at most, from the
  ///   start of a word if there is one; at most half of `max`
  static Splitter text(int max, int overlap) {
    return new TextSplitter(max, overlap);
  }

  /// Cuts Markdown before each heading that begins with `#`, code fences aside, and what is still
  /// too long as [#text] does. The headings above a chunk are its metadata `headings`, as in
  /// `Payment > Refunds`.
  static Splitter markdown(int max, int overlap) {
    return new MarkdownSplitter(new TextSplitter(max, overlap));
  }
}
