package dev.superstep.eval.internal;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.json.Json;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.List;
import java.util.function.Function;

/// Reads the output of a graph from its last state.
public record StateReader(Function<State, Json> output) implements OutcomeReader {
  @Override
  public Observation read(Outcome outcome, RunRecord seen) {
    return switch (outcome) {
      case Outcome.Completed(var state) ->
          Observations.ended(Ending.ANSWERED, output.apply(state), "", seen);
      case Outcome.Interrupted(var questions) -> waiting(questions, seen);
      case Outcome.Stopped(var reason, _) -> stopped(reason, seen);
    };
  }

  static Observation waiting(List<Interrupt> questions, RunRecord seen) {
    var names = questions.stream().map(Interrupt::question).distinct().toList();
    return new Observation(
        Ending.WAITING,
        Json.ofNull(),
        seen.tools(),
        names,
        "",
        "it asks " + names + ", and the case has no answer to that",
        seen.spent(),
        seen.took());
  }

  static Observation stopped(Outcome.Reason reason, RunRecord seen) {
    var ending = reason == Outcome.Reason.DEADLINE ? Ending.TIMED_OUT : Ending.LIMIT;
    return Observations.ended(ending, Json.ofNull(), "it was stopped: " + reason, seen);
  }
}
