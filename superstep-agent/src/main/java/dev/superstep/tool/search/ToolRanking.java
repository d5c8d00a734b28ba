package dev.superstep.tool.search;

import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.function.Function;

/// Orders tools by how well they fit what a model is looking for. Safe for many threads.
@FunctionalInterface
public interface ToolRanking {
  /// Returns the tools that fit, the best first; those that do not fit at all are left out.
  ///
  /// @param query the model's words
  /// @param tools all that may be found, in the order of the agent
  /// @throws InterruptedException if the run is cancelled
  List<ToolSpec> rank(String query, List<ToolSpec> tools) throws InterruptedException;

  /// The description of the query for the model. It is part of the cached prefix, so it must always
  /// be the same. Implement it if queries have a form of their own, such as regular expressions.
  default String queryDescription() {
    return "What the tool should do, in a few words, or its name.";
  }

  /// Ranks by the words of names, descriptions and arguments (BM25). Needs nothing else, and takes
  /// some milliseconds for thousands of tools.
  static ToolRanking byWords() {
    return new WordRanking();
  }

  /// Finds tools by patterns of their names, such as `*_invoice` or `get_*|list_*`, in the order of
  /// the agent. A query without `*` is ranked by words. For tools whose names follow rules.
  static ToolRanking byPatterns() {
    return new PatternRanking();
  }

  /// Ranks by the nearness of vectors, so that other words of the same meaning are found, too. The
  /// vectors of tools are made once in a process, and made again for a tool that has changed.
  ///
  /// @param embedding makes a vector for each text, in their order, all of one length
  static ToolRanking byEmbedding(Function<List<String>, List<float[]>> embedding) {
    return new VectorRanking(embedding);
  }
}
