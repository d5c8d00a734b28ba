package dev.superstep.node;

/// The result of a node. Exceptions are failures.
public sealed interface NodeResult
    permits Update, Command, Ask, Converge, HandOff, NoUpdate, EngineResult {
  /// No writes, and the edges are followed.
  static NodeResult nothing() {
    return NoUpdate.NOTHING;
  }
}
