package dev.superstep.retrieval;

/// In which order a search gives what it finds. Immutable.
sealed interface Ranking {
  /// The nearest in meaning first.
  record Nearest() implements Ranking {}

  /// Each the best of the nearest in view of those before it.
  record Diverse(double lambda, int fetch) implements Ranking {}

  /// Those that are good by meaning and by words first.
  record Hybrid() implements Ranking {}
}
