package dev.superstep.run;

/// The diagnostic for cycles when a graph is compiled. A cycle that can never be left is an error
/// in any case.
public enum CyclePolicy {
  /// Cycles are fine; the step limit of the run ends those that run too long.
  ALLOW,
  /// Each cycle is a warning.
  WARN,
  /// Each cycle is an error.
  FORBID
}
