package dev.superstep.run;

/// When what a run has done is safe in its store. Whatever is chosen, it is before the caller hears
/// how the run ended, and before anyone hears of a question.
public enum Durability {
  /// Before the run goes on: a result before its superstep ends, a superstep before the next one
  /// begins.
  SYNC,
  /// Soon: the run goes on while it is saved, in order; but the result of a step is safe before the
  /// step returns, with all that came before it. A crash may lose the last results of tasks, which
  /// then run again, with the same ids. If saving fails, the run fails at the end of its superstep.
  ASYNC,
  /// At the end: of the supersteps of one run, the last one is saved. A crash loses them all, and
  /// the thread is as it was before: all tasks and all their steps run again, with the same ids if
  /// the run is resumed. New input that was lost is input anew when it is given again, with other
  /// ids. For runs that are quick and harmless to do twice.
  EXIT
}
