package dev.superstep.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BulletList;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/// Reads CommonMark with tables. The text of a block is what stands in the file; that of a heading
/// or cell is without marks. Front matter is left out, except for its title. Immutable.
record MarkdownLoader(DocumentLimits limits) implements DocumentLoader {
  private static final Set<String> EXTENSIONS = Set.of("md", "markdown", "mdown");
  private static final int FRONT_MATTER_LINES_MAX = 200;

  @Override
  public boolean accepts(SourceDocument document) {
    return Decoding.hasExtension(document, EXTENSIONS);
  }

  @Override
  public String id() {
    return "markdown 1";
  }

  @Override
  public StructuredDocument load(SourceDocument document) {
    var text = Decoding.text(document, limits);
    return new Reader(document, limits, text).read();
  }

  /// Reads one file. One thread.
  private static final class Reader {
    private final StructuredDocumentBuilder builder;
    private final DocumentLimits limits;
    private final List<String> lines;

    Reader(SourceDocument document, DocumentLimits limits, String text) {
      this.builder = StructuredDocument.builder(document, limits);
      this.limits = limits;
      this.lines = new ArrayList<>(text.lines().toList());
    }

    StructuredDocument read() {
      blankFrontMatter();
      var parser =
          Parser.builder()
              .extensions(List.of(TablesExtension.create()))
              .includeSourceSpans(IncludeSourceSpans.BLOCKS)
              .maxOpenBlockParsers(limits.maxDepth())
              .build();
      var root = parser.parse(String.join("\n", lines));
      for (var node = root.getFirstChild(); node != null; node = node.getNext()) add(node);
      return builder.build();
    }

    /// Replaces front matter by empty lines, so that all other lines keep their numbers.
    private void blankFrontMatter() {
      if (lines.isEmpty() || !lines.getFirst().stripTrailing().equals("---")) return;
      int most = Math.min(lines.size(), FRONT_MATTER_LINES_MAX);
      int end = 1;
      while (end < most && !lines.get(end).stripTrailing().equals("---")) end++;
      if (end == most) return;
      for (int i = 0; i <= end; i++) {
        var line = lines.set(i, "");
        if (line.startsWith("title:")) {
          builder.title(line.substring("title:".length()).strip().replaceAll("^[\"']|[\"']$", ""));
        }
      }
    }

    private void add(Node node) {
      var at = lines(node);
      switch (node) {
        case Heading heading -> builder.heading(heading.getLevel(), plain(heading), at);
        case FencedCodeBlock code -> builder.code(info(code), slice(at), at);
        case IndentedCodeBlock _ -> builder.code("", slice(at), at);
        case BulletList _, OrderedList _ -> builder.items(slice(at), at);
        case TableBlock table -> addTable(table);
        case ThematicBreak _ -> {}
        default -> builder.paragraph(slice(at), at);
      }
    }

    private void addTable(TableBlock table) {
      var rows = new ArrayList<StructuredDocumentBuilder.Row>();
      int header = 0;
      for (var part = table.getFirstChild(); part != null; part = part.getNext()) {
        for (var row = part.getFirstChild(); row != null; row = row.getNext()) {
          if (!(row instanceof TableRow)) continue;
          var cells = new ArrayList<String>();
          for (var cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
            if (cell instanceof TableCell) cells.add(plain(cell));
          }
          rows.add(new StructuredDocumentBuilder.Row(cells, lines(row)));
          if (part instanceof TableHead) header++;
        }
      }
      builder.table(rows, header);
    }

    private static String info(FencedCodeBlock code) {
      var info = code.getInfo();
      return info == null ? "" : info;
    }

    private static String plain(Node node) {
      var renderer = TextContentRenderer.builder().build();
      var text = new StringBuilder();
      for (var child = node.getFirstChild(); child != null; child = child.getNext()) {
        text.append(renderer.render(child));
      }
      return text.toString();
    }

    private static Optional<Lines> lines(Node node) {
      var spans = node.getSourceSpans();
      if (spans.isEmpty()) return Optional.empty();
      return Optional.of(
          new Lines(spans.getFirst().getLineIndex() + 1, spans.getLast().getLineIndex() + 1));
    }

    private String slice(Optional<Lines> at) {
      return at.map(span -> String.join("\n", lines.subList(span.first() - 1, span.last())))
          .orElse("");
    }
  }
}
