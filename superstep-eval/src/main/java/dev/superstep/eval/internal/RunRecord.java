package dev.superstep.eval.internal;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Prices;
import dev.superstep.budget.Spend;
import dev.superstep.eval.check.CalledTool;
import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.lock.Mutex;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ModelUse;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Hears a run of a subject in this process: the tools that it starts, and what its models use.
/// Safe for many threads.
public final class RunRecord implements EventListener {
  private static final int TOOLS_MAX = 10_000;

  private final Mutex lock = new Mutex();
  private final Prices prices;
  private final long began = System.nanoTime();
  private final List<CalledTool> tools = new ArrayList<>();
  private Spend spent = Spend.NONE;

  /// Begins empty.
  ///
  /// @param prices what calls cost
  public RunRecord(Prices prices) {
    this.prices = prices;
  }

  @Override
  public void on(Event event) {
    if (!(event instanceof Event.NodeEmitted emitted)) return;
    if (emitted.name().equals(ModelUse.RECORDED)) {
      add(emitted.payload().as(ModelUse.class));
      return;
    }
    switch (AgentEvent.of(event).orElse(null)) {
      case AgentEvent.ToolStarted(_, _, var tool) -> add(tool);
      case AgentEvent.SubagentStarted(_, _, var tool) -> add(tool);
      case null, default -> {}
    }
  }

  private void add(ModelUse use) {
    var cost = cost(use.model(), use.usage());
    try (var _ = lock.hold()) {
      spent = spent.plus(new Spend(1, use.usage(), cost));
    }
  }

  private void add(String tool) {
    try (var _ = lock.hold()) {
      if (tools.size() < TOOLS_MAX) tools.add(new CalledTool(tool, Optional.empty()));
    }
  }

  /// The cost of a use, 0 if there is no price.
  BigDecimal cost(String model, Usage usage) {
    try {
      return prices.cost(ModelRef.parse(model), usage).orElse(BigDecimal.ZERO);
    } catch (ModelException _) {
      // An adapter may name its models by something else than a URL.
      return BigDecimal.ZERO;
    }
  }

  List<CalledTool> tools() {
    try (var _ = lock.hold()) {
      return List.copyOf(tools);
    }
  }

  Spend spent() {
    try (var _ = lock.hold()) {
      return spent;
    }
  }

  Duration took() {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
