package dev.superstep.graph;

/// When what a run has done is safe in its store. Whatever is chosen, it is before the caller hears
/// how the run ended, and before anyone hears of a question.
public enum Durability {
  /// Before the run goes on: a result before its superstep ends, a superstep before the next one
  /// begins.
  SYNC,
  /// Soon: the run goes on while it is saved, in order. A crash may lose the last results, which
  /// are then made again. If saving fails, the run fails at the end of its superstep.
  ASYNC,
  /// At the end: of the supersteps of one run, the last one is saved. A crash loses them all, and
  /// the thread is as it was before. For runs that are quick and harmless to do twice.
  EXIT
}
