package dev.superstep.bench.workload;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.List;

/// What a run should have come to.
final class Outcomes {
  private Outcomes() {}

  static State state(Outcome outcome) {
    if (outcome instanceof Outcome.Completed(var state)) return state;
    throw new IllegalStateException("the run should have completed, but it is " + outcome);
  }

  static List<Interrupt> questions(Outcome outcome) {
    if (outcome instanceof Outcome.Interrupted(var questions)) return questions;
    throw new IllegalStateException("the run should have asked, but it is " + outcome);
  }
}
