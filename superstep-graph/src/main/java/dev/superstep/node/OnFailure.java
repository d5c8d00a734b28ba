package dev.superstep.node;

import dev.superstep.state.Channel;
import java.util.Optional;

/// The handling of a node that failed and is not tried again. A node whose failure was handled
/// counts as finished: it does not run again when the thread is resumed. Immutable.
public sealed interface OnFailure {
  /// The run fails once the siblings are done, and can be resumed. The default.
  static OnFailure abort() {
    return Abort.ABORT;
  }

  /// The node writes nothing, and what follows it runs.
  static Handled skip() {
    return new Skip(Optional.empty());
  }

  /// The node writes this instead, and what follows it runs.
  static Handled fallback(Update update) {
    return new Fallback(update, Optional.empty());
  }

  /// The node writes nothing, nothing that follows it runs, joins do not count it as arrived, and
  /// the handler is sent the failure: in the next superstep, once for each failed task. If a
  /// handler fails, the run fails.
  static Handled route(Target<Failure> handler) {
    return new Route(handler, Optional.empty());
  }

  /// See [#abort].
  enum Abort implements OnFailure {
    /// The only one.
    ABORT
  }

  /// The failure is handled: the run continues.
  sealed interface Handled extends OnFailure {
    /// Where each failure is written, too, if anywhere.
    Optional<Channel<?, Failure>> record();

    /// Returns a copy that also writes each failure to a channel of the graph, before the fallback
    /// if there is one: usually `Channel.append("failures", Failure.class)`.
    Handled recordedIn(Channel<?, Failure> channel);
  }

  /// See [#skip].
  record Skip(Optional<Channel<?, Failure>> record) implements Handled {
    @Override
    public Handled recordedIn(Channel<?, Failure> channel) {
      return new Skip(Optional.of(channel));
    }
  }

  /// See [#fallback].
  record Fallback(Update update, Optional<Channel<?, Failure>> record) implements Handled {
    @Override
    public Handled recordedIn(Channel<?, Failure> channel) {
      return new Fallback(update, Optional.of(channel));
    }
  }

  /// See [#route].
  record Route(Target<Failure> handler, Optional<Channel<?, Failure>> record) implements Handled {
    @Override
    public Handled recordedIn(Channel<?, Failure> channel) {
      return new Route(handler, Optional.of(channel));
    }
  }
}
