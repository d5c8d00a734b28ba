package dev.superstep.node;

/// What a node returns. Exceptions are failures.
public sealed interface NodeResult
    permits Update, Command, Ask, Converge, HandOff, NoUpdate, EngineResult {
  /// No writes, and the edges are followed.
  static NodeResult nothing() {
    return NoUpdate.NOTHING;
  }
}
