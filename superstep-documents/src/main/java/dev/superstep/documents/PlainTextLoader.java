package dev.superstep.documents;

import java.util.Optional;
import java.util.Set;

/// Reads plain text: paragraphs between empty lines, and pages between form feeds. Immutable.
record PlainTextLoader(DocumentLimits limits) implements DocumentLoader {
  private static final Set<String> EXTENSIONS =
      Set.of("txt", "text", "log", "csv", "tsv", "json", "yaml", "yml", "xml", "properties", "");

  @Override
  public boolean accepts(SourceDocument document) {
    return Decoding.hasExtension(document, EXTENSIONS);
  }

  @Override
  public String id() {
    return "text 1";
  }

  @Override
  public StructuredDocument load(SourceDocument document) {
    var text = Decoding.text(document, limits);
    var builder = StructuredDocument.builder(document, limits);
    boolean hasPages = text.indexOf('\f') >= 0;
    int page = 1;
    if (hasPages) builder.page(page);
    var open = new StringBuilder();
    int first = 1;
    int number = 0;
    for (var line : (Iterable<String>) text.lines()::iterator) {
      number++;
      int feed = line.indexOf('\f');
      if (line.isBlank() && feed < 0) {
        close(builder, open, first);
        continue;
      }
      var rest = line;
      while (feed >= 0) {
        if (open.isEmpty()) first = number;
        open.append(rest, 0, feed);
        close(builder, open, first);
        builder.page(++page);
        rest = rest.substring(feed + 1);
        feed = rest.indexOf('\f');
      }
      if (rest.isBlank()) continue;
      if (open.isEmpty()) first = number;
      else open.append('\n');
      open.append(rest);
    }
    close(builder, open, first);
    return builder.build();
  }

  private static void close(StructuredDocumentBuilder builder, StringBuilder open, int first) {
    if (open.isEmpty()) return;
    var text = open.toString();
    open.setLength(0);
    int breaks = (int) text.chars().filter(c -> c == '\n').count();
    builder.paragraph(text, Optional.of(new Lines(first, first + breaks)));
  }
}
