package dev.superstep.agent;

import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.ContextKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// The ledgers of the agents of one run. A run that is resumed makes them anew, from what the
/// agents' threads say. Safe for many threads.
final class Books {
  private static final ContextKey<Books> KEY = ContextKey.of("agent-books", Books.class);

  private final ConcurrentHashMap<String, Ledger> byRun = new ConcurrentHashMap<>();

  private Books() {}

  /// The ledger of an agent, within those of the agents around it.
  static Ledger of(AgentContext context, AgentSpec spec) {
    var books = context.node().shared(KEY, Books::new);
    var identity = context.progress().identity();
    var known = books.byRun.get(identity.run());
    if (known != null) {
      known.atLeast(context.spent());
      narrow(known, context.steered());
      return known;
    }
    var callers = new ArrayList<AgentSpec>();
    for (var at = spec.caller(); at != null; at = at.caller()) callers.addFirst(at);
    var within = new ArrayList<Ledger>();
    context.node().find(Agent.LEDGER).ifPresent(within::add);
    var around = identity.around();
    for (int i = 0; i < around.size() && i < callers.size(); i++) {
      var run = around.get(i).run();
      within.add(books.ledger(run, callers.get(i), within, around.get(i).spent()));
    }
    var made = books.ledger(identity.run(), spec, within, context.spent());
    narrow(made, context.steered());
    return made;
  }

  private static void narrow(Ledger ledger, Steered steered) {
    steered.calls().ifPresent(ledger::atMostCalls);
    steered.totalTokens().ifPresent(ledger::atMostTokens);
  }

  private Ledger ledger(String run, AgentSpec spec, List<Ledger> within, Spend before) {
    return byRun.computeIfAbsent(
        run,
        _ -> {
          var made =
              within.isEmpty()
                  ? Ledger.of(spec.name(), spec.budget())
                  : within.getLast().within(spec.name(), spec.budget(), run);
          made.atLeast(before);
          return made;
        });
  }
}
