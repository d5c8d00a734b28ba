package dev.superstep.retrieval.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Cuts Markdown at its headings. Immutable.
record MarkdownSplitter(TextSplitter within) implements Splitter {
  static final String HEADINGS = "headings";
  private static final Pattern HEADING = Pattern.compile(" {0,3}(#{1,6})(?:[ \\t]+(.*))?");
  private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,})(.*)");
  private static final Pattern CLOSING_MARKS = Pattern.compile("(?:^|(?<=[ \\t]))#+[ \\t]*$");

  /// A part of a text under the same headings.
  private record Section(Span span, List<String> headings) {}

  @Override
  public String id() {
    return "markdown of " + within.id();
  }

  @Override
  public List<Chunk> split(Document document) {
    var chunks = new ArrayList<Chunk>();
    for (var section : new Outline(document.text()).sections()) {
      var path = String.join(" > ", section.headings());
      var metadata = path.isEmpty() ? Map.<String, String>of() : Map.of(HEADINGS, path);
      for (var span : within.spans(document.text(), section.span())) {
        chunks.add(TextSplitter.chunk(document, chunks.size(), span, metadata));
      }
    }
    return List.copyOf(chunks);
  }

  /// Reads a text line by line. One thread at a time.
  private static final class Outline {
    private final String text;
    private final List<Section> sections = new ArrayList<>();
    private final String[] titles = {"", "", "", "", "", ""};
    private int open;
    private String fence = "";

    Outline(String text) {
      this.text = text;
    }

    List<Section> sections() {
      for (int start = 0; start < text.length(); ) {
        int newline = text.indexOf('\n', start);
        int end = newline < 0 ? text.length() : newline + 1;
        read(start, text.substring(start, end).stripTrailing());
        start = end;
      }
      close(text.length());
      return sections;
    }

    private void read(int start, String line) {
      if (isInFence(line)) return;
      var heading = HEADING.matcher(line);
      if (!heading.matches()) return;
      close(start);
      int level = heading.group(1).length();
      for (int deeper = level; deeper < titles.length; deeper++) titles[deeper] = "";
      var title = heading.group(2) == null ? "" : heading.group(2);
      titles[level - 1] = CLOSING_MARKS.matcher(title).replaceFirst("").strip();
    }

    /// Returns whether the line belongs to a code block, in which `#` begins no heading.
    private boolean isInFence(String line) {
      var marks = FENCE.matcher(line);
      if (fence.isEmpty()) {
        if (!marks.matches()) return false;
        boolean isInline = marks.group(1).startsWith("`") && marks.group(2).contains("`");
        if (isInline) return false;
        fence = marks.group(1);
        return true;
      }
      boolean closes =
          marks.matches() && marks.group(1).startsWith(fence) && marks.group(2).isBlank();
      if (closes) fence = "";
      return true;
    }

    private void close(int end) {
      if (end == open) return;
      var path = new ArrayList<String>();
      for (var title : titles) if (!title.isEmpty()) path.add(title);
      sections.add(new Section(new Span(open, end), path));
      open = end;
    }
  }
}
