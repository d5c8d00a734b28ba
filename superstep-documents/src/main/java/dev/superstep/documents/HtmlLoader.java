package dev.superstep.documents;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;

/// Reads HTML as a reader sees it: without scripts, styles and forms. Nothing that the page refers
/// to is loaded. Immutable.
record HtmlLoader(DocumentLimits limits) implements DocumentLoader {
  private static final Set<String> EXTENSIONS = Set.of("html", "htm", "xhtml");

  @Override
  public boolean accepts(SourceDocument document) {
    return Decoding.hasExtension(document, EXTENSIONS);
  }

  @Override
  public String id() {
    return "html 1";
  }

  @Override
  public StructuredDocument load(SourceDocument document) {
    var bytes = document.read(limits.maxBytes());
    try (var in = new ByteArrayInputStream(bytes)) {
      var parser = Parser.htmlParser().setTrackPosition(true).setMaxDepth(limits.maxDepth());
      // Without a base address, and without a charset unless the page names one.
      var page = Jsoup.parse(in, null, "", parser);
      var builder = StructuredDocument.builder(document, limits);
      builder.title(page.title());
      new Reader(builder).read(page.body());
      return builder.build();
    } catch (IOException e) {
      throw new UnreadableDocument(document.id(), "is no readable HTML", e);
    }
  }

  /// Reads one page. One thread.
  private static final class Reader {
    private static final Set<String> SKIPPED =
        Set.of(
            "script",
            "style",
            "noscript",
            "template",
            "head",
            "svg",
            "iframe",
            "object",
            "form",
            "select",
            "button",
            "nav");

    private static final int INDENTS_MAX = 8;

    private final StructuredDocumentBuilder builder;
    private final StringBuilder inline = new StringBuilder();
    private Optional<Lines> inlineLines = Optional.empty();

    Reader(StructuredDocumentBuilder builder) {
      this.builder = builder;
    }

    void read(Element body) {
      readChildren(body);
      closeInline();
    }

    // The parser bounds how deep elements are nested, so this does not run out of stack.
    private void readChildren(Element parent) {
      for (var node : parent.childNodes()) readNode(node);
    }

    private void readNode(Node node) {
      switch (node) {
        case TextNode text -> addInline(text.text(), lines(text));
        case Element element when isHidden(element) -> {}
        case Element element when element.isBlock() -> {
          closeInline();
          readBlock(element);
          closeInline();
        }
        case Element element when element.normalName().equals("br") ->
            addInline("\n", lines(element));
        case Element element -> {
          if (hasBlock(element)) readChildren(element);
          else addInline(element.text(), lines(element));
        }
        default -> {}
      }
    }

    private void readBlock(Element element) {
      var at = lines(element);
      switch (element.normalName()) {
        case "h1", "h2", "h3", "h4", "h5", "h6" ->
            builder.heading(element.normalName().charAt(1) - '0', element.text(), at);
        case "pre" -> builder.code(language(element), element.wholeText(), at);
        case "ul", "ol" -> {
          var lines = new ArrayList<String>();
          addItems(element, 0, lines);
          builder.items(String.join("\n", lines), at);
        }
        case "table" -> addTable(element);
        default -> readChildren(element);
      }
    }

    private void addTable(Element table) {
      var rows = new ArrayList<StructuredDocumentBuilder.Row>();
      int header = 0;
      for (var row : table.select("tr")) {
        if (!table.equals(row.closest("table"))) continue;
        var cells = row.children().stream().map(Element::text).toList();
        boolean isHead =
            !row.children().isEmpty()
                && row.children().stream().allMatch(cell -> cell.normalName().equals("th"));
        if (isHead && header == rows.size()) header++;
        rows.add(new StructuredDocumentBuilder.Row(cells, lines(row)));
      }
      builder.table(rows, header);
    }

    private static void addItems(Element list, int depth, List<String> lines) {
      var indent = "  ".repeat(Math.min(depth, INDENTS_MAX));
      int number = 0;
      for (var item : list.children()) {
        number++;
        var mark = list.normalName().equals("ol") ? number + ". " : "- ";
        var nested = new ArrayList<Element>();
        var own = new StringBuilder();
        for (var node : item.childNodes()) {
          if (node instanceof Element inner
              && (inner.normalName().equals("ul") || inner.normalName().equals("ol"))) {
            nested.add(inner);
          } else if (node instanceof Element inner && !isHidden(inner)) {
            own.append(' ').append(inner.text());
          } else if (node instanceof TextNode text) {
            own.append(text.text());
          }
        }
        var line = own.toString().strip().replaceAll("\\s+", " ");
        if (!line.isEmpty()) lines.add(indent + mark + line);
        for (var inner : nested) addItems(inner, depth + 1, lines);
      }
    }

    private void addInline(String text, Optional<Lines> at) {
      if (text.isBlank() && inline.isEmpty()) return;
      inline.append(text);
      if (!text.isBlank()) inlineLines = union(inlineLines, at);
    }

    private void closeInline() {
      var text = inline.toString().strip().replaceAll("[ \\t]+", " ");
      var at = inlineLines;
      inline.setLength(0);
      inlineLines = Optional.empty();
      builder.paragraph(text, at);
    }

    private static Optional<Lines> union(Optional<Lines> a, Optional<Lines> b) {
      if (a.isEmpty()) return b;
      if (b.isEmpty()) return a;
      return Optional.of(
          new Lines(
              Math.min(a.get().first(), b.get().first()),
              Math.max(a.get().last(), b.get().last())));
    }

    private static boolean isHidden(Element element) {
      return SKIPPED.contains(element.normalName())
          || element.hasAttr("hidden")
          || element.attr("aria-hidden").equals("true")
          || element
              .attr("style")
              .replace(" ", "")
              .toLowerCase(Locale.ROOT)
              .contains("display:none");
    }

    private static boolean hasBlock(Element element) {
      return element.children().stream().anyMatch(child -> child.isBlock() || hasBlock(child));
    }

    private static String language(Element pre) {
      var code = pre.selectFirst("code");
      if (code == null) return "";
      return List.of(code.className().split(" ")).stream()
          .filter(name -> name.startsWith("language-"))
          .map(name -> name.substring("language-".length()))
          .findFirst()
          .orElse("");
    }

    private static int breaks(String text) {
      return (int) text.chars().filter(c -> c == '\n').count();
    }

    private static Optional<Lines> lines(Node node) {
      var start = node.sourceRange();
      if (!start.isTracked()) return Optional.empty();
      int first = start.start().lineNumber();
      int last = start.end().lineNumber();
      if (node instanceof Element element && element.endSourceRange().isTracked()) {
        last = Math.max(last, element.endSourceRange().end().lineNumber());
      }
      if (node instanceof TextNode text) {
        var whole = text.getWholeText();
        first += breaks(whole) - breaks(whole.stripLeading());
        last -= breaks(whole) - breaks(whole.stripTrailing());
      }
      return first < 1 ? Optional.empty() : Optional.of(new Lines(first, Math.max(first, last)));
    }
  }
}
