package dev.superstep.graph;

/// What a node returns. Exceptions are failures.
public sealed interface NodeResult permits Update, Command, Ask, Converge, Nothing {
  /// No writes, and the edges are followed.
  static NodeResult nothing() {
    return Nothing.NOTHING;
  }
}
