package dev.superstep.flow;

/// The result of a transition of a flow. Immutable.
///
/// @param <O> the output of the flow
public sealed interface FlowStep<O> permits FlowStep.Continue, FlowOutcome {
  /// There is more to do.
  ///
  /// @param step how many supersteps are finished
  record Continue<O>(int step) implements FlowStep<O> {}
}
