package dev.superstep.retrieval.citation;

import java.util.ArrayList;
import java.util.List;

/// An answer whose citations were checked. Immutable.
///
/// @param answer with the citations numbered `[1]`, `[2]` in the order of [#sources]; invented ones
///   are `[?]`
/// @param sources the sources that it cites, each once, in the order of the answer
/// @param invented the labels that it cites and that were not retrieved, each once
public record CitedAnswer(String answer, List<CitableSource> sources, List<String> invented) {
  /// Copies the lists.
  public CitedAnswer {
    sources = List.copyOf(sources);
    invented = List.copyOf(invented);
  }

  /// Returns whether it cites a source, and none that was not retrieved.
  public boolean isSound() {
    return !sources.isEmpty() && invented.isEmpty();
  }

  /// The answer with a list of its sources below it, with pages and lines.
  public String text() {
    if (sources.isEmpty()) return answer;
    var lines = new ArrayList<String>();
    for (var source : sources) {
      lines.add("[%d] %s".formatted(lines.size() + 1, source.citation().text()));
    }
    return answer + "\n\n" + String.join("\n", lines);
  }
}
