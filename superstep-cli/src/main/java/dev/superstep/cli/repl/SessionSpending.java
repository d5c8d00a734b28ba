package dev.superstep.cli.repl;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;

/// Adds up what a session has spent, over all of its processes: each run of a cell notes in its
/// thread what was spent before it. One thread at a time.
final class SessionSpending {
  private static final String SPENT = "superstep.repl.spent";

  private final Ledger ledger;

  SessionSpending(Budget budget) {
    this.ledger = Ledger.of("session", budget);
  }

  /// Counts what earlier processes spent.
  void begin(Agent<String> agent, ThreadState state) {
    var noted = state.metadata().get(SPENT);
    var before = noted == null ? Spend.NONE : Json.parse(noted).as(Spend.class);
    // A cell that is not at its end counts itself when it goes on.
    boolean isOver = state.next().isEmpty() && state.questions().isEmpty();
    var last =
        isOver ? agent.result(new Outcome.Completed(state.state())).report().spent() : Spend.NONE;
    ledger.atLeast(before.plus(last));
  }

  /// The options of the next run.
  RunOptions addTo(RunOptions options) {
    return options.with(Agent.LEDGER, ledger).metadata(SPENT, Json.of(ledger.spent()).text());
  }

  /// All that was spent.
  Spend spent() {
    return ledger.spent();
  }
}
