package dev.superstep.flow;

/// How a transition of a flow ended. Immutable.
///
/// @param <O> the output of the flow
public sealed interface FlowStep<O> permits FlowStep.Continue, FlowOutcome {
  /// There is more to do.
  ///
  /// @param step how many supersteps are finished
  record Continue<O>(int step) implements FlowStep<O> {}
}
