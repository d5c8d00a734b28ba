package dev.superstep.tool.search;

import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Ranks tools by the cosine between their vectors and that of a query. Safe for many threads.
final class VectorRanking implements ToolRanking {
  private static final int KNOWN_MAX = 20_000;

  private final Function<List<String>, List<float[]>> embedding;
  // By the text of a tool, so that a tool that changes has another vector.
  private final ConcurrentHashMap<String, float[]> known = new ConcurrentHashMap<>();

  private record Ranked(ToolSpec tool, double score) {}

  VectorRanking(Function<List<String>, List<float[]>> embedding) {
    this.embedding = embedding;
  }

  @Override
  public List<ToolSpec> rank(String query, List<ToolSpec> tools) {
    learn(
        tools.stream().map(VectorRanking::text).filter(text -> !known.containsKey(text)).toList());
    var asked = embed(List.of(query)).getFirst();
    var ranked = new ArrayList<Ranked>();
    for (var tool : tools) {
      var vector = known.get(text(tool));
      if (vector == null) continue;
      double score = cosine(asked, vector);
      if (score > 0) ranked.add(new Ranked(tool, score));
    }
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked.stream().map(Ranked::tool).toList();
  }

  private void learn(List<String> texts) {
    if (texts.isEmpty()) return;
    if (known.size() + texts.size() > KNOWN_MAX) known.clear();
    var vectors = embed(texts);
    for (int i = 0; i < texts.size(); i++) known.put(texts.get(i), vectors.get(i));
  }

  private List<float[]> embed(List<String> texts) {
    var vectors = embedding.apply(texts);
    if (vectors.size() == texts.size()) return vectors;
    throw new IllegalStateException(
        "the embedding of tools gave %d vectors for %d texts; it must give one for each"
            .formatted(vectors.size(), texts.size()));
  }

  private static String text(ToolSpec tool) {
    return tool.name().replace('_', ' ') + ": " + tool.description();
  }

  private static double cosine(float[] a, float[] b) {
    if (a.length != b.length) {
      throw new IllegalStateException(
          "the embedding of tools gave vectors of %d and of %d numbers; all must have one length"
              .formatted(a.length, b.length));
    }
    double dot = 0;
    double one = 0;
    double other = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      one += (double) a[i] * a[i];
      other += (double) b[i] * b[i];
    }
    return one == 0 || other == 0 ? 0 : dot / Math.sqrt(one * other);
  }

  @Override
  public String toString() {
    return "VectorRanking[" + known.size() + " tools known]";
  }
}
