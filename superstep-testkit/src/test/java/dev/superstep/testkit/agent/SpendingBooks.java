package dev.superstep.testkit.agent;

import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What each run of an agent really took, kept by the models themselves, beside the ledgers that
/// are tested. A run `a/b` is part of `a`. Safe for many threads.
final class SpendingBooks {
  private final Map<String, Tally> byRun = new LinkedHashMap<>();
  private final List<String> excesses = new ArrayList<>();

  /// What a run and those inside it took.
  private static final class Tally {
    private BudgetedTree.@Nullable Limits limits;
    private int own;
    private int calls;
    private Usage usage = Usage.NONE;
    private BigDecimal cost = BigDecimal.ZERO;
  }

  /// A call that is sent.
  ///
  /// @return which of its run's own it is, from 1
  synchronized int sent(String run, BudgetedTree agent) {
    var own = of(run);
    own.limits = agent.limits();
    for (var at = run; !at.isEmpty(); at = around(at)) {
      of(at).calls++;
      check(at, "sent");
    }
    return ++own.own;
  }

  /// What it took.
  synchronized void took(String run, Usage usage) {
    var cost = BudgetedTree.PRICES.cost(new ModelRef("scripted", "any"), usage);
    for (var at = run; !at.isEmpty(); at = around(at)) {
      var tally = of(at);
      tally.usage = tally.usage.plus(usage);
      tally.cost = tally.cost.add(cost.orElseThrow());
      check(at, "took " + usage);
    }
  }

  /// Where a limit was passed, if anywhere.
  synchronized List<String> excesses() {
    return List.copyOf(excesses);
  }

  synchronized int calls(String run) {
    return of(run).calls;
  }

  synchronized Usage usage(String run) {
    return of(run).usage;
  }

  private Tally of(String run) {
    return byRun.computeIfAbsent(run, _ -> new Tally());
  }

  private static String around(String run) {
    int end = run.lastIndexOf('/');
    return end < 0 ? "" : run.substring(0, end);
  }

  private void check(String run, String what) {
    var tally = of(run);
    var limits = tally.limits;
    if (limits == null) {
      excesses.add(run + " spends before it began");
      return;
    }
    over(run, what, "calls", tally.calls, limits.calls());
    over(run, what, "input", tally.usage.input(), limits.input());
    over(run, what, "cached", tally.usage.cachedInput(), limits.cached());
    over(run, what, "output", tally.usage.output(), limits.output());
    over(run, what, "reasoning", tally.usage.reasoning(), limits.reasoning());
    over(run, what, "total", tally.usage.total(), limits.total());
    if (limits.money() != null && tally.cost.compareTo(limits.money()) > 0) {
      excesses.add(run + " " + what + ": money " + tally.cost + " of " + limits.money());
    }
  }

  private void over(String run, String what, String name, long used, @Nullable Integer most) {
    if (most == null || used <= most) return;
    excesses.add(run + " " + what + ": " + name + " " + used + " of " + most);
  }
}
