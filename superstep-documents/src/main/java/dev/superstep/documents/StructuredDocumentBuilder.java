package dev.superstep.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects the blocks of a document in their order: counts offsets, and keeps the headings and the
/// page that blocks stand under. For loaders. One thread at a time.
public final class StructuredDocumentBuilder {
  private static final int LEVELS = 6;
  private static final String GAP = "\n\n";

  private final SourceDocument from;
  private final DocumentLimits limits;
  private final StringBuilder text = new StringBuilder();
  private final List<Block> blocks = new ArrayList<>();
  private final String[] titles = {"", "", "", "", "", ""};
  private String title = "";
  private Optional<Integer> page = Optional.empty();

  /// A row of a table to be added.
  ///
  /// @param lines the lines that it stands in, if they are known
  public record Row(List<String> cells, Optional<Lines> lines) {
    /// Copies the cells.
    public Row {
      cells = List.copyOf(cells);
    }
  }

  StructuredDocumentBuilder(SourceDocument from, DocumentLimits limits) {
    this.from = from;
    this.limits = limits;
  }

  /// Sets the title. A blank one is none; then the first heading of level 1 is the title.
  public StructuredDocumentBuilder title(String value) {
    title = oneLine(value);
    return this;
  }

  /// Begins a page, slide or sheet.
  ///
  /// @param number counted from 1
  public StructuredDocumentBuilder page(int number) {
    page = Optional.of(number);
    add(new Block.PageBreak(place(text.length(), text.length(), Optional.empty())));
    return this;
  }

  /// Adds a heading, unless it is blank.
  ///
  /// @param level 1 to 6; deeper ones count as 6
  public StructuredDocumentBuilder heading(int level, String value, Optional<Lines> lines) {
    var shown = oneLine(value);
    if (shown.isEmpty()) return this;
    int depth = Math.clamp(level, 1, LEVELS);
    for (int deeper = depth; deeper <= LEVELS; deeper++) titles[deeper - 1] = "";
    titles[depth - 1] = shown;
    if (title.isEmpty() && depth == 1) title = shown;
    int start = append(shown);
    add(new Block.Heading(depth, shown, place(start, text.length(), lines)));
    return this;
  }

  /// Adds a paragraph, unless it is blank.
  public StructuredDocumentBuilder paragraph(String value, Optional<Lines> lines) {
    if (value.isBlank()) return this;
    var kept = clean(value);
    int start = append(kept);
    add(new Block.Paragraph(kept, place(start, text.length(), lines)));
    return this;
  }

  /// Adds a list, a line for each item, unless it is blank.
  public StructuredDocumentBuilder items(String value, Optional<Lines> lines) {
    if (value.isBlank()) return this;
    var kept = clean(value);
    int start = append(kept);
    add(new Block.Items(kept, place(start, text.length(), lines)));
    return this;
  }

  /// Adds code, unless it is blank.
  ///
  /// @param language empty if it is not known
  public StructuredDocumentBuilder code(String language, String value, Optional<Lines> lines) {
    if (value.isBlank()) return this;
    var kept = clean(value);
    int start = append(kept);
    add(new Block.Code(language.strip(), kept, place(start, text.length(), lines)));
    return this;
  }

  /// Adds a table. Rows without text are left out.
  ///
  /// @param headerRows the number of rows at its beginning that are its header
  public StructuredDocumentBuilder table(List<Row> rows, int headerRows) {
    var kept =
        rows.stream().filter(row -> !row.cells().stream().allMatch(String::isBlank)).toList();
    if (kept.isEmpty()) return this;
    long dropped =
        rows.subList(0, Math.min(headerRows, rows.size())).stream()
            .filter(row -> !kept.contains(row))
            .count();
    int header = Math.clamp(headerRows - dropped, 0, kept.size());
    separate();
    int start = text.length();
    var added = new ArrayList<Block.Row>();
    for (var row : kept) {
      if (text.length() > start) text.append('\n');
      int from = text.length();
      var cells = row.cells().stream().map(StructuredDocumentBuilder::cell).toList();
      text.append("| ").append(String.join(" | ", cells)).append(" |");
      checkSize();
      var place = place(from, text.length(), row.lines());
      added.add(new Block.Row(cells, text.substring(from), place));
    }
    var place = place(start, text.length(), span(kept));
    add(new Block.Table(added, header, text.substring(start), place));
    return this;
  }

  /// Returns the document of all blocks so far.
  public StructuredDocument build() {
    return new StructuredDocument(from.id(), from.source(), title, text.toString(), blocks);
  }

  private static Optional<Lines> span(List<Row> rows) {
    if (rows.stream().anyMatch(row -> row.lines().isEmpty())) return Optional.empty();
    int first = Integer.MAX_VALUE;
    int last = 0;
    for (var row : rows) {
      first = Math.min(first, row.lines().orElseThrow().first());
      last = Math.max(last, row.lines().orElseThrow().last());
    }
    return Optional.of(new Lines(first, last));
  }

  private int append(String value) {
    separate();
    int start = text.length();
    text.append(value);
    checkSize();
    return start;
  }

  private void separate() {
    if (!text.isEmpty()) text.append(GAP);
  }

  private Place place(int start, int end, Optional<Lines> lines) {
    var headings = new ArrayList<String>();
    for (var heading : titles) if (!heading.isEmpty()) headings.add(heading);
    return new Place(page, lines, start, end, headings);
  }

  private void add(Block block) {
    if (blocks.size() >= limits.maxBlocks()) {
      throw new DocumentTooLarge(from.id(), "blocks", limits.maxBlocks());
    }
    blocks.add(block);
  }

  private void checkSize() {
    if (text.length() > limits.maxCharacters()) {
      throw new DocumentTooLarge(from.id(), "characters of text", limits.maxCharacters());
    }
  }

  private static String oneLine(String value) {
    return clean(value).strip().replaceAll("\\s+", " ");
  }

  private static String cell(String value) {
    return oneLine(value).replace("|", "\\|");
  }

  /// Removes line breaks at both ends and half surrogate pairs, which no index can store.
  private static String clean(String value) {
    int start = 0;
    int end = value.length();
    while (start < end && value.charAt(start) == '\n') start++;
    while (end > start && Character.isWhitespace(value.charAt(end - 1))) end--;
    var kept = value.substring(start, end);
    boolean isWhole = kept.codePoints().noneMatch(StructuredDocumentBuilder::isSurrogate);
    if (isWhole) return kept;
    var whole = new StringBuilder();
    kept.codePoints().map(c -> isSurrogate(c) ? 0xFFFD : c).forEach(whole::appendCodePoint);
    return whole.toString();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  @Override
  public String toString() {
    return "StructuredDocumentBuilder[%s, %d blocks]".formatted(from.id(), blocks.size());
  }
}
