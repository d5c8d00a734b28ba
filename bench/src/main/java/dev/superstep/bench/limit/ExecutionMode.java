package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Span;
import java.util.List;

/// The three ways in which the limit runs its tasks.
enum ExecutionMode {
  /// A plain call on the main thread.
  INLINE("inline"),
  /// Each task on a virtual thread of its own, the run on the main thread.
  VTHREAD("vthread"),
  /// Each task on a virtual thread of its own, and the run on one too.
  ALL_VTHREAD("all-vthread");

  private final String variant;

  ExecutionMode(String variant) {
    this.variant = variant;
  }

  /// Those that do a case.
  static List<ExecutionMode> of(Case what) {
    return what.isBrief() ? List.of(INLINE, ALL_VTHREAD) : List.of(values());
  }

  /// The name for tables.
  String variant() {
    return variant;
  }

  /// Starts a run.
  void run(Span.Body body) throws Exception {
    (this == ALL_VTHREAD ? Caller.VTHREAD : Caller.PLATFORM).run(body);
  }
}
