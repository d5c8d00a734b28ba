package dev.superstep.documents;

import dev.superstep.retrieval.chunk.SourceLocation;
import java.util.List;
import java.util.Optional;

/// A block, or a part of one, that goes into a chunk as a whole. Immutable.
///
/// @param prefix what is repeated before its text, such as the header of a table; or empty
/// @param start the offset of its text in the document
/// @param end the offset behind it
record Passage(Block block, String prefix, String text, Optional<Lines> lines, int start, int end) {
  /// The pages, lines and offsets of some passages.
  record Extent(
      Optional<SourceLocation.Range> pages,
      Optional<SourceLocation.Range> lines,
      int start,
      int end) {}

  /// A whole block.
  static Passage of(Block block) {
    var place = block.place();
    return new Passage(block, "", block.text(), place.lines(), place.start(), place.end());
  }

  /// A part of this passage without white space at its ends. Its lines are exact if the text has
  /// the line breaks of the source.
  Passage part(int start, int end) {
    int from = start;
    int to = end;
    while (from < to && Character.isWhitespace(text.charAt(from))) from++;
    while (to > from && Character.isWhitespace(text.charAt(to - 1))) to--;
    return new Passage(
        block,
        prefix,
        text.substring(from, to),
        linesOf(from, to),
        this.start + from,
        this.start + to);
  }

  private Optional<Lines> linesOf(int from, int to) {
    if (lines.isEmpty()) return lines;
    int breaks = breaks(text);
    if (lines.get().last() - lines.get().first() != breaks) return lines;
    int first = lines.get().first() + breaks(text.substring(0, from));
    return Optional.of(new Lines(first, first + breaks(text.substring(from, to))));
  }

  private static int breaks(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  /// Some passages as a text. Parts of one block stand on lines one after another, blocks between
  /// empty lines.
  static String text(List<Passage> passages) {
    var text = new StringBuilder();
    for (int i = 0; i < passages.size(); i++) {
      var passage = passages.get(i);
      boolean isSameBlock = i > 0 && passages.get(i - 1).block().equals(passage.block());
      if (i > 0) text.append(isSameBlock ? "\n" : "\n\n");
      boolean hasPrefix = !passage.prefix().isEmpty() && !isSameBlock;
      if (hasPrefix) text.append(passage.prefix()).append('\n');
      text.append(passage.text().strip());
    }
    return text.toString();
  }

  /// @param heading the place if there are no passages
  static Extent extent(List<Passage> passages, Block heading) {
    var all = passages.isEmpty() ? List.of(of(heading)) : passages;
    Optional<SourceLocation.Range> pages = Optional.empty();
    Optional<SourceLocation.Range> lines = Optional.empty();
    int start = Integer.MAX_VALUE;
    int end = 0;
    boolean hasAllLines = true;
    for (var passage : all) {
      var page =
          passage.block().place().page().map(number -> new SourceLocation.Range(number, number));
      pages = union(pages, page);
      var range = passage.lines().map(one -> new SourceLocation.Range(one.first(), one.last()));
      lines = union(lines, range);
      hasAllLines &= passage.lines().isPresent();
      start = Math.min(start, passage.start());
      end = Math.max(end, passage.end());
    }
    // Lines are counted on their page, so they tell nothing over several pages.
    boolean isOnePage = pages.isEmpty() || pages.get().first() == pages.get().last();
    return new Extent(pages, isOnePage && hasAllLines ? lines : Optional.empty(), start, end);
  }

  private static Optional<SourceLocation.Range> union(
      Optional<SourceLocation.Range> a, Optional<SourceLocation.Range> b) {
    if (a.isEmpty()) return b;
    return b.isEmpty() ? a : Optional.of(a.get().and(b.get()));
  }
}
