package dev.superstep.retrieval.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The place of a chunk that a reader can look up: source, page, lines and headings. It is part of
/// the metadata of the chunk, so every index keeps it. Immutable.
///
/// ```java
/// System.out.println(SourceLocation.of(match.chunk()).text()); // handbook.pdf, page 3, lines 4-9
/// ```
///
/// @param source such as a path or an address
/// @param title of the document, or empty
/// @param pages empty if the format has no pages
/// @param lines those of the source; in a format with pages, those on the page
/// @param headings the headings above the chunk, as in `Payment > Refunds`; or empty
public record SourceLocation(
    String source, String title, Optional<Range> pages, Optional<Range> lines, String headings) {
  /// The key of the title in the metadata of a chunk.
  public static final String TITLE = "title";

  /// The key of the pages in the metadata of a chunk, such as `3` or `3-4`.
  public static final String PAGES = "pages";

  /// The key of the lines in the metadata of a chunk, such as `12` or `12-18`.
  public static final String LINES = "lines";

  /// The key of the headings in the metadata of a chunk.
  public static final String HEADINGS = MarkdownSplitter.HEADINGS;

  /// A range of pages or lines, counted from 1.
  ///
  /// @param last belongs to the range
  public record Range(int first, int last) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /// @throws IllegalArgumentException if the range is empty or begins before 1
    public Range {
      if (first < 1 || last < first) {
        throw new IllegalArgumentException(
            "a range must be 1 or more and in order, was %d to %d".formatted(first, last));
      }
    }

    /// Returns the smallest range that includes both.
    public Range and(Range other) {
      return new Range(Math.min(first, other.first), Math.max(last, other.last));
    }

    private static Optional<Range> parse(String text) {
      var form = FORM.matcher(text);
      if (!form.matches()) return Optional.empty();
      int first = Integer.parseInt(form.group(1));
      int last = form.group(2) == null ? first : Integer.parseInt(form.group(2));
      return first < 1 || last < first ? Optional.empty() : Optional.of(new Range(first, last));
    }

    @Override
    public String toString() {
      return first == last ? String.valueOf(first) : first + "-" + last;
    }
  }

  /// The place of a chunk, as its metadata states it. Metadata of another form is ignored.
  public static SourceLocation of(Chunk chunk) {
    var metadata = chunk.metadata();
    return new SourceLocation(
        chunk.provenance().source(),
        metadata.getOrDefault(TITLE, ""),
        Range.parse(metadata.getOrDefault(PAGES, "")),
        Range.parse(metadata.getOrDefault(LINES, "")),
        metadata.getOrDefault(HEADINGS, ""));
  }

  /// The metadata by which a chunk has this place. The source is in its provenance.
  public Map<String, String> metadata() {
    var metadata = new TreeMap<String, String>();
    if (!title.isEmpty()) metadata.put(TITLE, title);
    pages.ifPresent(range -> metadata.put(PAGES, range.toString()));
    lines.ifPresent(range -> metadata.put(LINES, range.toString()));
    if (!headings.isEmpty()) metadata.put(HEADINGS, headings);
    return metadata;
  }

  /// The place in words, such as `handbook.pdf, page 3, lines 4-9, Payment > Refunds`.
  public String text() {
    var parts = new ArrayList<>(List.of(source));
    pages.ifPresent(range -> parts.add(counted("page", range)));
    lines.ifPresent(range -> parts.add(counted("line", range)));
    if (!headings.isEmpty()) parts.add(headings);
    return String.join(", ", parts);
  }

  private static String counted(String unit, Range range) {
    return unit + (range.first() == range.last() ? " " : "s ") + range;
  }
}
