package dev.superstep.documents;

import java.util.List;

/// A part of a document that has one role in it. Immutable.
public sealed interface Block {
  /// The text, as it stands in [StructuredDocument#text].
  String text();

  /// The place in the document.
  Place place();

  /// A heading. Its own title is the last of the headings of its place.
  ///
  /// @param level 1 for the outermost, up to 6
  record Heading(int level, String text, Place place) implements Block {}

  /// A paragraph of running text.
  record Paragraph(String text, Place place) implements Block {}

  /// A list, with its nested lists.
  record Items(String text, Place place) implements Block {}

  /// A table. Its text has a line for each row, with the cells between vertical bars.
  ///
  /// @param headerRows the number of rows at its beginning that are its header
  record Table(List<Row> rows, int headerRows, String text, Place place) implements Block {
    /// Copies the rows.
    public Table {
      rows = List.copyOf(rows);
      if (headerRows < 0 || headerRows > rows.size()) {
        throw new IllegalArgumentException(
            "headerRows must be 0 to %d, was %d".formatted(rows.size(), headerRows));
      }
    }
  }

  /// A row of a table.
  record Row(List<String> cells, String text, Place place) {
    /// Copies the cells.
    public Row {
      cells = List.copyOf(cells);
    }
  }

  /// A block of code or of other text whose line breaks have a meaning.
  ///
  /// @param language as the document names it, or empty
  record Code(String language, String text, Place place) implements Block {}

  /// The beginning of a page, slide or sheet. It has no text.
  record PageBreak(Place place) implements Block {
    @Override
    public String text() {
      return "";
    }
  }
}
