package dev.superstep.cli.screen;

import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Rows under headings, as commands print lists. On a terminal, the table is fitted into its width:
/// first, columns shrink, the last ones first; if that is not enough, each row becomes a block of
/// lines `heading value`, in which nothing is cut. Elsewhere nothing is folded, so that each row is
/// one line for `grep` and `awk`. For one thread at a time.
public final class Table {
  private static final int GAP = 2;
  private static final int ROOM_MIN = 10;
  private static final int[] STACKED = {};

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();
  // Of the columns, once the first rows are printed; empty if rows are blocks.
  private int[] widths = STACKED;
  private boolean isBegun;

  private Table(List<Column> columns) {
    this.columns = columns;
  }

  /// A table without rows.
  public static Table of(Column... columns) {
    return new Table(List.of(columns));
  }

  /// A text in a table, and its look.
  public record Cell(String text, Style style) {
    public static Cell of(String text) {
      return new Cell(text, Style.PLAIN);
    }
  }

  /// Adds a row. The texts may be by others: they are made safe, and put on one line.
  public Table row(String... texts) {
    return row(Arrays.stream(texts).map(Cell::of).toArray(Cell[]::new));
  }

  /// Adds a row whose texts have looks.
  public Table row(Cell... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "there are %d columns and %d cells".formatted(columns.size(), cells.length));
    }
    rows.add(
        Arrays.stream(cells)
            .map(cell -> new Cell(SafeText.line(cell.text()), cell.style()))
            .toList());
    return this;
  }

  /// Prints the rows that were added since the last time; the first time with the headings, and
  /// nothing if there is no row.
  public void print(Terminal terminal) {
    var text = text(terminal.display());
    if (text.isEmpty()) return;
    terminal.out().print(text);
    terminal.out().flush();
  }

  /// The text that [#print] prints.
  String text(Display display) {
    if (rows.isEmpty()) return "";
    var text = new StringBuilder();
    boolean isFirst = !isBegun;
    if (isFirst) widths = fitted(display);
    isBegun = true;
    if (widths.length == 0) {
      for (int i = 0; i < rows.size(); i++) {
        if (i > 0 || !isFirst) text.append('\n');
        block(rows.get(i), display, text);
      }
    } else {
      if (isFirst) line(headings(), display, text);
      for (var row : rows) line(row, display, text);
    }
    rows.clear();
    return text.toString();
  }

  private List<Cell> headings() {
    return columns.stream().map(column -> new Cell(column.heading(), Style.STRONG)).toList();
  }

  /// The widths of the columns on a display; none if rows have to be blocks.
  private int[] fitted(Display display) {
    var fitted = new int[columns.size()];
    for (int i = 0; i < fitted.length; i++) {
      int widest = columns.get(i).least();
      for (var row : rows) widest = Math.max(widest, CellText.width(row.get(i).text()));
      fitted[i] = widest;
    }
    if (display.columns().isEmpty()) return fitted;
    int excess = Arrays.stream(fitted).sum() + GAP * (fitted.length - 1) - display.columns().get();
    for (int i = fitted.length - 1; i >= 0 && excess > 0; i--) {
      var column = columns.get(i);
      if (column.fit() == Column.Fit.WHOLE) continue;
      int less = Math.min(excess, fitted[i] - column.least());
      fitted[i] -= less;
      excess -= less;
    }
    return excess > 0 ? STACKED : fitted;
  }

  private void line(List<Cell> row, Display display, StringBuilder into) {
    var parts = new ArrayList<List<String>>();
    int height = 1;
    for (int i = 0; i < row.size(); i++) {
      parts.add(lines(i, row.get(i).text(), display));
      height = Math.max(height, parts.getLast().size());
    }
    for (int y = 0; y < height; y++) {
      int end = into.length();
      for (int i = 0; i < row.size(); i++) {
        var text = y < parts.get(i).size() ? parts.get(i).get(y) : "";
        var blanks = " ".repeat(Math.max(0, widths[i] - CellText.width(text)));
        boolean isRight = columns.get(i).isNumber();
        into.append(isRight ? blanks : "").append(styled(text, row.get(i).style(), display));
        if (!text.isEmpty()) end = into.length();
        into.append(isRight ? "" : blanks).append(" ".repeat(GAP));
      }
      into.setLength(end);
      into.append('\n');
    }
  }

  private List<String> lines(int column, String text, Display display) {
    if (display.columns().isEmpty()) return List.of(text);
    return switch (columns.get(column).fit()) {
      case WHOLE -> List.of(text);
      case CUT -> List.of(CellText.cut(text, widths[column]));
      case WRAP -> CellText.wrapped(text, widths[column]);
    };
  }

  private void block(List<Cell> row, Display display, StringBuilder into) {
    int widest = columns.stream().mapToInt(column -> column.heading().length()).max().orElse(0);
    int left = widest + 1 + GAP;
    int room = Math.max(ROOM_MIN, display.columns().orElse(0) - left);
    for (int i = 0; i < row.size(); i++) {
      if (row.get(i).text().isEmpty()) continue;
      var key = columns.get(i).heading().toLowerCase(Locale.ROOT) + ":";
      var text = row.get(i).text();
      boolean isWhole = columns.get(i).fit() == Column.Fit.WHOLE && CellText.width(text) > room;
      if (isWhole) {
        into.append(styled(key, Style.STRONG, display)).append('\n');
        into.append(styled(text, row.get(i).style(), display)).append('\n');
        continue;
      }
      var lines = CellText.wrapped(text, room);
      for (int y = 0; y < lines.size(); y++) {
        var name = y == 0 ? key : "";
        into.append(styled(name, Style.STRONG, display))
            .append(" ".repeat(left - name.length()))
            .append(styled(lines.get(y), row.get(i).style(), display))
            .append('\n');
      }
    }
  }

  private static String styled(String text, Style style, Display display) {
    return display.isColored() ? style.of(text) : text;
  }
}
