package dev.superstep.flow;

/// A step of a flow: makes the next state from the one before. Runs on a virtual thread and may
/// block; it may run again from its start, when it failed, when its process died, or when a
/// question that it asked was answered.
@FunctionalInterface
public interface StepFunction<I, O> {
  /// The next state; never null.
  ///
  /// @throws Exception whatever went wrong; the flow stays where it was, and can be resumed
  O run(I state, FlowContext context) throws Exception;
}
