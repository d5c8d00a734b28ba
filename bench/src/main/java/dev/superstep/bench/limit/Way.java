package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Span;

/// The three ways in which the limit runs its tasks.
enum Way {
  /// A plain call on the main thread.
  INLINE("inline"),
  /// Each task on a virtual thread of its own, the run on the main thread.
  VTHREAD("vthread"),
  /// Each task on a virtual thread of its own, and the run on one too.
  ALL_VTHREAD("all-vthread");

  private final String variant;

  Way(String variant) {
    this.variant = variant;
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
