package dev.superstep.graph;

/// What happens when a node has failed and is not tried again. A node that was handled counts as
/// finished: it does not run again when the thread is resumed. Immutable.
public sealed interface OnFailure {
  /// The run fails once the siblings are done, and can be resumed. The default.
  static OnFailure abort() {
    return Abort.ABORT;
  }

  /// The node writes nothing, and what follows it runs.
  static OnFailure skip() {
    return Skip.SKIP;
  }

  /// The node writes this instead, and what follows it runs.
  static OnFailure fallback(Update update) {
    return new Fallback(update);
  }

  /// The node writes nothing, nothing that follows it runs, joins do not count it as arrived, and
  /// the handler is sent the failure: in the next superstep, once for each failed task. If a
  /// handler fails, the run fails.
  static OnFailure route(Target<Failure> handler) {
    return new Route(handler);
  }

  /// See [#abort].
  enum Abort implements OnFailure {
    /// The only one.
    ABORT
  }

  /// See [#skip].
  enum Skip implements OnFailure {
    /// The only one.
    SKIP
  }

  /// See [#fallback].
  record Fallback(Update update) implements OnFailure {}

  /// See [#route].
  record Route(Target<Failure> handler) implements OnFailure {}
}
