package dev.superstep.run;

/// The moment at which the results of a run are safe in its store. In any case they are before the
/// caller learns the outcome of the run, and before a question is published.
public enum Durability {
  /// Before the run continues: a result before its superstep ends, a superstep before the next one
  /// begins.
  SYNC,
  /// Soon: the run continues while it is saved, in order; but the result of a step is safe before
  /// the step returns, with everything before it. A crash may lose the last results of tasks, which
  /// then run again, with the same ids. If saving fails, the run fails at the end of its superstep.
  ASYNC,
  /// At the end: of the supersteps of one run, the last one is saved. A crash loses them all, and
  /// the thread is as it was before: all tasks and all their steps run again, with the same ids if
  /// the run is resumed. Lost input that is given again is new input, with other ids. For runs that
  /// are quick and harmless to repeat.
  EXIT
}
