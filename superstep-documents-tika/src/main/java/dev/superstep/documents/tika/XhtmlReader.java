package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentTooLarge;
import dev.superstep.documents.Lines;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.StructuredDocumentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/// Reads the XHTML that Tika makes of a document, as blocks. It ends a parser that makes too much,
/// takes too long, or is interrupted. One thread.
final class XhtmlReader extends DefaultHandler {
  private static final Set<String> PAGES = Set.of("page", "slide-content", "slide", "sheet");
  private static final Set<String> SKIPPED =
      Set.of("slide-master-content", "embedded", "annotation", "package-entry", "ocr");

  private final String document;
  private final DocumentLimits limits;
  private final BlockSink sink;
  private final long deadline;
  private final StringBuilder text = new StringBuilder();
  private @Nullable List<StructuredDocumentBuilder.Row> rows;
  private List<String> cells = new ArrayList<>();
  private @Nullable RuntimeException stopped;
  private boolean isInterrupted;
  private long characters;
  private int depth;
  private int skipFrom;
  private int tables;
  private int lists;
  private int page;
  private int line;
  private int headerRows;
  private boolean isHeaderRow;
  private boolean isInHead;

  XhtmlReader(String document, DocumentLimits limits, BlockSink sink) {
    this.document = document;
    this.limits = limits;
    this.sink = sink;
    this.deadline = System.nanoTime() + limits.maxTime().toNanos();
  }

  /// Throws what ended the parser from here, however the parser dealt with it.
  void rethrow() throws InterruptedException {
    if (isInterrupted) throw new InterruptedException("loading was cancelled");
    if (stopped != null) throw stopped;
  }

  /// Adds text that stands outside of all blocks.
  void finish() {
    flush();
  }

  @Override
  public void startElement(String uri, String name, String qName, Attributes attributes)
      throws SAXException {
    check();
    depth++;
    if (depth > limits.maxDepth()) {
      stop(new DocumentTooLarge(document, "levels of nesting", limits.maxDepth()));
    }
    if (skipFrom > 0) return;
    var kind = attributes.getValue("class");
    if (kind != null && SKIPPED.contains(kind)) {
      skipFrom = depth;
      return;
    }
    attempt(() -> start(name, kind == null ? "" : kind));
  }

  private void start(String name, String kind) {
    switch (name) {
      case "head" -> isInHead = true;
      case "div" -> {
        if (tables == 0) flush();
        if (PAGES.contains(kind)) {
          page++;
          line = 0;
          sink.page(page);
        }
      }
      case "h1", "h2", "h3", "h4", "h5", "h6", "pre", "title" -> flushOutside();
      case "p" -> {
        boolean isFirst = text.isEmpty() || text.charAt(text.length() - 1) == ' ';
        if (tables == 0 && lists == 0) flush();
        else if (!isFirst) text.append(' ');
      }
      case "ul", "ol" -> {
        if (lists++ == 0) flushOutside();
      }
      case "li" -> startItem();
      case "br" -> text.append('\n');
      case "table" -> {
        if (tables++ == 0) startTable();
      }
      case "tr" -> {
        if (tables == 1) {
          cells = new ArrayList<>();
          isHeaderRow = true;
        }
      }
      case "td", "th" -> {
        if (tables == 1) {
          text.setLength(0);
          isHeaderRow &= name.equals("th");
        } else {
          text.append(' ');
        }
      }
      default -> {}
    }
  }

  private void startItem() {
    if (!text.isEmpty()) text.append('\n');
    text.append("  ".repeat(Math.clamp(lists - 1, 0, 8))).append("- ");
  }

  private void startTable() {
    flush();
    rows = new ArrayList<>();
    headerRows = 0;
  }

  @Override
  public void endElement(String uri, String name, String qName) throws SAXException {
    check();
    boolean isSkipped = skipFrom > 0;
    if (skipFrom == depth) skipFrom = 0;
    depth--;
    if (!isSkipped) attempt(() -> end(name));
  }

  private void end(String name) {
    switch (name) {
      case "head" -> isInHead = false;
      case "title" -> {
        if (isInHead) sink.title(take());
        else flush();
      }
      case "h1", "h2", "h3", "h4", "h5", "h6" -> {
        if (tables > 0 || lists > 0) return;
        var lines = count(text.toString());
        sink.heading(name.charAt(1) - '0', take(), lines);
      }
      case "pre" -> {
        if (tables > 0 || lists > 0) return;
        var lines = count(text.toString());
        sink.code(take(), lines);
      }
      case "p", "div" -> {
        if (tables == 0 && lists == 0) flush();
      }
      case "ul", "ol" -> {
        if (lists > 0 && --lists == 0 && tables == 0) {
          var lines = count(text.toString());
          sink.items(take(), lines);
        }
      }
      case "td", "th" -> {
        if (tables == 1) cells.add(take());
      }
      case "tr" -> endRow();
      case "table" -> endTable();
      case "body" -> flush();
      default -> {}
    }
  }

  private void endRow() {
    if (tables != 1 || rows == null) return;
    if (isHeaderRow && headerRows == rows.size() && !cells.isEmpty()) headerRows++;
    boolean isBlank = cells.stream().allMatch(String::isBlank);
    if (isBlank) return;
    Optional<Lines> lines = page == 0 ? Optional.empty() : Optional.of(new Lines(++line, line));
    rows.add(new StructuredDocumentBuilder.Row(cells, lines));
    if (rows.size() > limits.maxBlocks()) {
      throw new DocumentTooLarge(document, "rows", limits.maxBlocks());
    }
  }

  private void endTable() {
    if (tables == 0 || --tables > 0 || rows == null) return;
    // Office formats do not say which row is a header; the first one mostly is.
    int header = headerRows == 0 && rows.size() > 1 ? 1 : Math.min(headerRows, rows.size());
    sink.table(rows, header);
    rows = null;
    text.setLength(0);
  }

  private void flushOutside() {
    if (tables == 0) flush();
  }

  private void flush() {
    if (tables > 0) return;
    if (text.toString().isBlank()) {
      text.setLength(0);
      return;
    }
    var lines = count(text.toString());
    sink.paragraph(take(), lines);
  }

  private String take() {
    boolean isList = text.indexOf("- ") == 0;
    var taken =
        text.toString()
            .lines()
            .map(one -> isList ? one.stripTrailing() : one.strip())
            .filter(one -> !one.isBlank())
            .toList();
    text.setLength(0);
    return String.join("\n", taken);
  }

  /// Counts the lines with text on a page.
  private Optional<Lines> count(String block) {
    int lines = (int) block.lines().filter(one -> !one.isBlank()).count();
    if (page == 0 || lines == 0) return Optional.empty();
    int first = line + 1;
    line += lines;
    return Optional.of(new Lines(first, line));
  }

  @Override
  public void characters(char[] all, int start, int length) throws SAXException {
    check();
    characters += length;
    if (characters > limits.maxCharacters()) {
      stop(new DocumentTooLarge(document, "characters of text", limits.maxCharacters()));
    }
    if (skipFrom == 0) text.append(all, start, length);
  }

  @Override
  public void ignorableWhitespace(char[] all, int start, int length) throws SAXException {
    check();
    if (skipFrom == 0 && tables == 0 && lists == 0) text.append(all, start, length);
  }

  private void attempt(Runnable step) throws SAXException {
    try {
      step.run();
    } catch (DocumentFailed e) {
      stop(e);
    }
  }

  private void check() throws SAXException {
    if (stopped != null || isInterrupted) throw new SAXException("stopped");
    if (Thread.interrupted()) {
      isInterrupted = true;
      throw new SAXException("interrupted");
    }
    if (System.nanoTime() - deadline > 0) {
      stop(
          new ParserStopped(
              document, "took longer than %,d ms".formatted(limits.maxTime().toMillis())));
    }
  }

  private void stop(RuntimeException why) throws SAXException {
    stopped = why;
    throw new SAXException("stopped");
  }
}
