package dev.superstep.call;

import dev.superstep.node.Effect;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/// The context of a node that makes calls of limited time on its own thread.
public interface CallContext extends NodeContext {
  /// Returns true if the thread of the node can be left behind in a call. Where it cannot, a call
  /// that may ignore its interruption needs a thread of its own.
  boolean isExpendable();

  /// Makes a call on the thread of the run, and returns what the rest of the node does. The node
  /// calls it last and returns its result.
  ///
  /// If the call does not end when it is interrupted, another thread goes on in its place: the rest
  /// of the node is done there, then the rest of the run. What the call does later is dropped. A
  /// run that is on its caller's thread first moves to a thread that can be left behind.
  ///
  /// @throws InterruptedException if the run is cancelled
  <T> NodeResult call(LimitedCall<T> call) throws Exception;

  /// Like [NodeContext#call], for the last effect of a node, which returns at once afterwards.
  /// Where the end of the node is saved with a checkpoint, so is the result: a process that dies
  /// before has lost it. If the node fails, waits or does anything else, it is saved before that.
  ///
  /// @param type reads back as it was written; a result that cannot change is not read back
  <T> T lastCall(String key, String request, Class<T> type, Callable<T> effect) throws Exception;

  /// The time in which an approval must be used: [dev.superstep.graph.RunOptions#approvalTime].
  Duration approvalTime();

  /// The time at which the last approval that the node was given had been given, as it is recorded
  /// with the answer; empty before the first, and where nothing is recorded.
  Optional<Instant> approvedAt();

  /// Begins an effect outside of any step, of which the node's code runs the rest itself.
  ///
  /// @param name of the effect, as a person knows it
  /// @throws dev.superstep.error.EffectRefused if a person refuses it
  /// @throws Exception what undoing an earlier one throws
  EffectCall begin(String name, Effect effect) throws Exception;

  /// Wraps work for another thread, which then has what the caller of the run has bound to its own.
  Runnable carried(Runnable work);
}
