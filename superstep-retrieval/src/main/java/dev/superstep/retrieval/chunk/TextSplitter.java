package dev.superstep.retrieval.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Cuts text at the coarsest boundaries that make the pieces short enough. Immutable.
record TextSplitter(int max, int overlap) implements Splitter {
  private static final int MAX_LEAST = 4;

  /// Each ends a piece; from coarse to fine. None may look at a run of characters once for each of
  /// its characters, because texts come from outside: hence the look behind.
  private static final List<Pattern> BOUNDARIES =
      List.of(
          Pattern.compile("\\R[ \\t]*+\\R\\s*+"),
          Pattern.compile("\\R"),
          Pattern.compile("(?<![.!?…])[.!?…]++[\"'”’»)\\]]*+\\s++|[。！？]++\\s*+"),
          Pattern.compile("\\s++"));

  TextSplitter {
    if (max < MAX_LEAST) {
      throw new IllegalArgumentException("max must be at least " + MAX_LEAST + ", was " + max);
    }
    if (overlap < 0 || overlap > max / 2) {
      throw new IllegalArgumentException(
          "overlap must be 0 to half of max, which is %d, was %d".formatted(max / 2, overlap));
    }
  }

  @Override
  public String id() {
    return "text %d %d".formatted(max, overlap);
  }

  @Override
  public List<Chunk> split(Document document) {
    var chunks = new ArrayList<Chunk>();
    for (var span : spans(document.text(), new Span(0, document.text().length()))) {
      chunks.add(chunk(document, chunks.size(), span, Map.of()));
    }
    return List.copyOf(chunks);
  }

  /// The chunks of a part of a text, those without any words left out.
  List<Span> spans(String text, Span part) {
    var spans = new ArrayList<Span>();
    for (var piece : cut(text, part, 0)) {
      if (text.substring(piece.start(), piece.end()).isBlank()) continue;
      spans.add(new Span(overlapStart(text, part, piece.start()), piece.end()));
    }
    return spans;
  }

  static Chunk chunk(Document document, int number, Span span, Map<String, String> more) {
    var metadata = new TreeMap<>(document.metadata());
    metadata.putAll(more);
    return new Chunk(
        document.id() + "#" + number,
        document.text().substring(span.start(), span.end()),
        metadata,
        new Chunk.Provenance(document.id(), document.source(), span.start(), span.end()));
  }

  /// Pieces without a gap, each of which leaves room for its overlap.
  private List<Span> cut(String text, Span part, int level) {
    if (part.length() <= room()) return part.length() == 0 ? List.of() : List.of(part);
    if (level == BOUNDARIES.size()) return characters(text, part);
    var done = new ArrayList<Span>();
    int open = part.start();
    for (var piece : pieces(text, part, BOUNDARIES.get(level))) {
      if (piece.end() - open <= room()) continue;
      if (piece.start() > open) done.add(new Span(open, piece.start()));
      open = piece.start();
      if (piece.length() <= room()) continue;
      var smaller = cut(text, piece, level + 1);
      done.addAll(smaller.subList(0, smaller.size() - 1));
      // What follows may still fit to the last of them.
      open = smaller.getLast().start();
    }
    if (open < part.end()) done.add(new Span(open, part.end()));
    return done;
  }

  private int room() {
    return max - overlap;
  }

  private static List<Span> pieces(String text, Span part, Pattern boundary) {
    var pieces = new ArrayList<Span>();
    var ends = boundary.matcher(text).region(part.start(), part.end());
    int open = part.start();
    while (ends.find()) {
      pieces.add(new Span(open, ends.end()));
      open = ends.end();
    }
    if (open < part.end()) pieces.add(new Span(open, part.end()));
    return pieces;
  }

  private List<Span> characters(String text, Span part) {
    var pieces = new ArrayList<Span>();
    for (int open = part.start(); open < part.end(); ) {
      int end = Math.min(open + room(), part.end());
      if (isInsidePair(text, end)) end--;
      pieces.add(new Span(open, end));
      open = end;
    }
    return pieces;
  }

  private int overlapStart(String text, Span part, int start) {
    int from = Math.max(part.start(), start - overlap);
    if (isInsidePair(text, from)) from++;
    boolean atWord = from == part.start() || isSpace(text, from - 1);
    if (atWord) return from;
    for (int at = from; at < start; at++) {
      if (isSpace(text, at) && !isSpace(text, at + 1)) return Math.min(at + 1, start);
    }
    return from;
  }

  private static boolean isSpace(String text, int at) {
    return Character.isWhitespace(text.charAt(at));
  }

  private static boolean isInsidePair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }
}
