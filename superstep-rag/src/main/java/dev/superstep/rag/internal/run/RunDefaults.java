package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.rag.Item;
import dev.superstep.rag.error.RagError;
import dev.superstep.registry.Kind;
import dev.superstep.run.Durability;
import java.util.Optional;

/// The options of a run that a text sets: they are before those of the caller. Immutable.
public record RunDefaults(Scene scene) {
  private static final String DISABLED = "disabled";
  private static final String ENABLED = "enabled";

  public static boolean isStreamed(Blueprint blueprint) {
    return !is(blueprint.defaults(), Item.STREAMING, DISABLED);
  }

  /// The options of a run.
  ///
  /// @param shared a ledger of the caller, of which this run spends as well
  public RunOptions options(RunOptions base, Optional<Ledger> shared) {
    var blueprint = scene.blueprint();
    var options = saved(base, blueprint);
    var defaults = blueprint.defaults();
    var steps = defaults.count(Item.RECURSION_LIMIT);
    if (steps.isPresent()) options = options.stepLimit(steps.getAsInt());
    var total = defaults.count(Item.TOTAL_LIMIT);
    if (total.isPresent()) options = options.totalStepLimit(total.getAsInt());
    var retries = defaults.count(Item.RETRY_BUDGET);
    if (retries.isPresent()) options = options.retryBudget(retries.getAsInt());
    var concurrency = defaults.count(Item.CONCURRENCY);
    if (concurrency.isPresent()) options = options.concurrency(concurrency.getAsInt());
    var timeout = defaults.duration(Item.TIMEOUT);
    if (timeout.isPresent()) options = options.deadline(timeout.get());
    var durability = defaults.text(Item.DURABILITY);
    if (durability.isPresent()) options = options.durability(durability(durability.get()));
    if (is(defaults, Item.DATAFLOW, ENABLED)) options = options.dataflow();
    var store = blueprint.items().text(Item.STORE);
    if (store.isPresent()) {
      options = options.store(scene.component(Kind.STORE, store.get()));
    }
    return limited(options, shared);
  }

  private RunOptions limited(RunOptions base, Optional<Ledger> shared) {
    var options = base;
    var name = scene.blueprint().graph();
    var budget = budget();
    if (budget.isPresent()) {
      var ledger =
          shared
              .map(outer -> outer.within(name, budget.get()))
              .orElseGet(() -> Ledger.of(name, budget.get()));
      options = options.with(Agent.LEDGER, ledger);
    } else if (shared.isPresent()) options = options.with(Agent.LEDGER, shared.get());
    return options;
  }

  /// The limits of the graph on calls, tokens and money.
  public Optional<Budget> budget() {
    return LimitItems.budget(scene.blueprint().items(), scene);
  }

  private static RunOptions saved(RunOptions base, Blueprint blueprint) {
    var own = blueprint.items().text(Item.CHECKPOINT).orElse("inherit");
    var set =
        own.equals("inherit") ? blueprint.defaults().text(Item.CHECKPOINT).orElse("inherit") : own;
    if (set.equals(DISABLED)) return base.unsaved();
    boolean isSaved = base.thread().isPresent() && base.checkpointer().isPresent();
    boolean asks = is(blueprint.items(), Item.INTERRUPTS, ENABLED);
    if (!isSaved && (set.equals(ENABLED) || asks)) {
      throw new RagError(
          "rag.needs-thread",
          "graph `%s` has `%s enabled`, so it runs on a stored thread only"
              .formatted(blueprint.graph(), asks ? "interrupt" : "checkpoint"));
    }
    return base;
  }

  private static boolean is(Items items, Item item, String word) {
    return items.text(item).filter(word::equals).isPresent();
  }

  private static Durability durability(String word) {
    return switch (word) {
      case "async" -> Durability.ASYNC;
      case "exit" -> Durability.EXIT;
      default -> Durability.SYNC;
    };
  }
}
