package dev.superstep.documents;

import java.util.List;
import java.util.Optional;

/// The place of a block in its document. Immutable.
///
/// @param page the page, slide or sheet, counted from 1; empty if the format has none
/// @param lines the lines of the source file; in a format with pages, the lines of extracted text
///   on the page; empty if the loader cannot tell
/// @param start the offset of its first character in [StructuredDocument#text]
/// @param end the offset behind its last character
/// @param headings the headings that it stands under, the outermost first
public record Place(
    Optional<Integer> page, Optional<Lines> lines, int start, int end, List<String> headings) {
  /// @throws IllegalArgumentException if the page is below 1 or the offsets are no range
  public Place {
    headings = List.copyOf(headings);
    if (page.isPresent() && page.get() < 1) {
      throw new IllegalArgumentException("page must be 1 or more, was " + page.get());
    }
    if (start < 0 || end < start) {
      throw new IllegalArgumentException(
          "start and end must be a range, were %d and %d".formatted(start, end));
    }
  }
}
