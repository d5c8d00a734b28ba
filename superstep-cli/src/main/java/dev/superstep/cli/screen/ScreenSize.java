package dev.superstep.cli.screen;

/// The cells of a terminal. Immutable.
///
/// @param columns at least 20: below that nothing can be laid out
/// @param rows at least 5
public record ScreenSize(int columns, int rows) {
  private static final int COLUMNS_MIN = 20;
  private static final int ROWS_MIN = 5;
  private static final int COLUMNS_USUAL = 80;
  private static final int ROWS_USUAL = 24;

  public ScreenSize {
    columns = columns <= 0 ? COLUMNS_USUAL : Math.max(COLUMNS_MIN, columns);
    rows = rows <= 0 ? ROWS_USUAL : Math.max(ROWS_MIN, rows);
  }
}
