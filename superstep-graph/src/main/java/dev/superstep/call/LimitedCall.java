package dev.superstep.call;

import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import java.time.Duration;

/// A call of code that may take too long, and may ignore that it is interrupted. For the thread of
/// its node, but for [#late] and [#then], which another thread calls if that one was left behind.
public interface LimitedCall<T> {
  /// The most that it may take.
  Duration most();

  /// Makes the call. Its thread is interrupted when the time is over, and when the run is
  /// cancelled.
  T make() throws Exception;

  /// The result if the time is over, whatever the call comes to.
  T late();

  /// The rest of the node.
  ///
  /// @param context replaces the one of the node that made the call
  NodeResult then(T result, NodeContext context) throws Exception;
}
