package dev.superstep.flow;

import dev.superstep.run.Outcome;
import java.util.List;

/// The state of a flow that cannot continue by itself. Immutable.
///
/// ```java
/// switch (flow.run(order, options)) {
///   case Done(var invoice) -> send(invoice);
///   case Suspended(var open) -> ask(open);
///   case Stopped(var reason) -> log(reason);
/// }
/// ```
///
/// @param <O> the output of the flow
public sealed interface FlowOutcome<O> extends FlowStep<O> {
  /// It has its output.
  record Done<O>(O output) implements FlowOutcome<O> {}

  /// It waits for answers. All steps that do not depend on them have run.
  ///
  /// @param open at least one, in task order
  record Suspended<O>(List<PendingWait> open) implements FlowOutcome<O> {
    public Suspended {
      open = List.copyOf(open);
    }

    /// The first thing that it waits for.
    public PendingWait first() {
      return open.getFirst();
    }
  }

  /// It has reached a limit, and can continue from there.
  record LimitExceeded<O>(FlowLimits.Limit limit) implements FlowOutcome<O> {}

  /// It was stopped on purpose, and can be resumed.
  record Stopped<O>(Outcome.Reason reason) implements FlowOutcome<O> {}

  /// The output, for those who expect one.
  ///
  /// @throws FlowError.NotDone if there is none
  default O output() {
    return switch (this) {
      case Done<O>(var output) -> output;
      case Suspended<O>(var open) ->
          throw new FlowError.NotDone(
              "it waits for " + open.stream().map(PendingWait::toolId).toList());
      case LimitExceeded<O>(var limit) -> throw new FlowError.NotDone("it met its limit " + limit);
      case Stopped<O>(var reason) -> throw new FlowError.NotDone("it was stopped: " + reason);
    };
  }
}
