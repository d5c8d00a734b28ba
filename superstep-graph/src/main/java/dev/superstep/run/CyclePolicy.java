package dev.superstep.run;

/// What is said of cycles in a graph when it is compiled. A cycle that can never be left is an
/// error in any case.
public enum CyclePolicy {
  /// Cycles are fine; the step limit of the run ends those that go on too long.
  ALLOW,
  /// Each cycle is a warning.
  WARN,
  /// Each cycle is an error.
  FORBID
}
