package dev.superstep.matrix;

import java.util.Objects;

/// The knowledge about an edge: how often the node at its end has converged after it, and how well.
/// Immutable.
///
/// @param count how often, at least once
/// @param quality the mean of those qualities, from 0 to 1
public record LearnedEdge(String from, String to, long count, double quality) {
  public LearnedEdge {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    if (count < 1) {
      throw new IllegalArgumentException(
          "count of edge `" + from + "` -> `" + to + "` is " + count);
    }
    if (!(quality >= 0 && quality <= 1)) {
      throw new IllegalArgumentException(
          "quality of edge `" + from + "` -> `" + to + "` is " + quality + ", not from 0 to 1");
    }
  }

  /// With one more observation. The running mean of Welford: it adds no large numbers, and stays
  /// between the least and the greatest that was observed.
  LearnedEdge and(double observed) {
    long more = Math.addExact(count, 1);
    double mean = quality + (observed - quality) / more;
    return new LearnedEdge(from, to, more, Math.clamp(mean, 0, 1));
  }
}
