package dev.superstep.language.check;

import dev.superstep.language.Span;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The places of the parts of one graph in its source, by paths such as `node/ask/routes/1/to`. One
/// thread at a time while it is filled.
public final class Places {
  private final Map<String, Span> spans = new HashMap<>();

  Places() {}

  void put(String path, Span span) {
    spans.putIfAbsent(path, span);
  }

  /// The place of a part, or of the nearest part around it that has one.
  public Span find(String path) {
    for (var at = path; ; ) {
      var span = spans.get(at);
      if (span != null) return span;
      int slash = at.lastIndexOf('/');
      if (slash < 0) return spans.getOrDefault("graph", Span.BEGINNING);
      at = at.substring(0, slash);
    }
  }

  /// Returns whether a part has a place of its own.
  public boolean has(String path) {
    return spans.containsKey(path);
  }

  /// The places of the graph, its nodes, channels and edges.
  Map<String, Span> outline() {
    var outline = new LinkedHashMap<String, Span>();
    spans.entrySet().stream()
        .filter(entry -> isOutline(entry.getKey()))
        .sorted(
            Map.Entry.<String, Span>comparingByValue(java.util.Comparator.comparingInt(Span::start))
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> outline.put(entry.getKey(), entry.getValue()));
    return outline;
  }

  private static boolean isOutline(String path) {
    int slash = path.indexOf('/');
    if (slash < 0) return path.equals("graph");
    return path.indexOf('/', slash + 1) < 0
        && (path.startsWith("node/") || path.startsWith("channel/") || path.startsWith("edge/"));
  }
}
