package dev.superstep.spring;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.event.Origin;
import dev.superstep.graph.Drain;
import dev.superstep.model.ModelUse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Meters of runs, from their events. No tag has the name of a thread, a run, a person or anything
/// that a model made up, so their number stays small. Safe for many threads.
///
/// | Meter | Kind | Tags |
/// |---|---|---|
/// | `superstep.runs` | timer | `graph`, `outcome` |
/// | `superstep.runs.active` | gauge | |
/// | `superstep.supersteps` | counter | `graph` |
/// | `superstep.questions` | counter | `graph` |
/// | `superstep.retries` | counter | `graph`, `node` |
/// | `superstep.tool.calls` | timer | `agent`, `tool`, `outcome` |
/// | `superstep.model.calls` | timer | `agent`, `model` |
/// | `superstep.tokens` | counter | `model`, `type` |
/// | `superstep.cost` | counter | `model`, `currency` |
public final class RunMeters implements EventListener {
  /// The limit on runs without a known end, which must not be kept for ever.
  private static final int OPEN_MAX = 10_000;

  private final MeterRegistry registry;
  private final Map<String, Instant> begun =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
              return size() > OPEN_MAX;
            }
          });

  RunMeters(MeterRegistry registry, @Nullable Drain drain) {
    this.registry = registry;
    if (drain != null) {
      registry.gauge("superstep.runs.active", drain, shared -> shared.running().size());
    }
  }

  @Override
  public void on(Event event) {
    var at = event.origin();
    boolean isOuter = at.path().isEmpty();
    switch (event) {
      case Event.RunStarted _ -> begun.put(at.run(), at.at());
      case Event.RunCompleted _ -> ended(at, "completed");
      case Event.RunInterrupted _ -> ended(at, "waiting");
      case Event.RunStopped _ -> ended(at, "stopped");
      case Event.RunFailed _ -> ended(at, "failed");
      case Event.StepFinished _ -> count("superstep.supersteps", graph(at), 1);
      case Event.InterruptRaised _ when isOuter -> count("superstep.questions", graph(at), 1);
      case Event.NodeRetried e -> count("superstep.retries", graph(at).and("node", e.node()), 1);
      case Event.NodeEmitted e when e.name().equals(ModelUse.RECORDED) ->
          tokens(e.payload().as(ModelUse.class));
      case Event.NodeEmitted _ -> AgentEvent.of(event).ifPresent(this::ofAgent);
      case Event _ -> {}
    }
  }

  private void ended(Origin at, String outcome) {
    var since = begun.remove(at.run());
    var took = since == null ? Duration.ZERO : Duration.between(since, at.at());
    registry.timer("superstep.runs", graph(at).and("outcome", outcome)).record(took);
  }

  private void ofAgent(AgentEvent event) {
    switch (event) {
      case AgentEvent.ToolCompleted e -> tool(e.agent(), e.tool(), "completed", e.took());
      case AgentEvent.ToolFailed e -> tool(e.agent(), e.tool(), "failed", e.took());
      case AgentEvent.ModelCompleted e ->
          registry
              .timer("superstep.model.calls", Tags.of("agent", e.agent(), "model", e.model()))
              .record(e.took());
      case AgentEvent.CostRecorded e ->
          e.cost()
              .ifPresent(cost ->
                  count(
                      "superstep.cost",
                      Tags.of("model", e.model(), "currency", e.currency()),
                      cost.doubleValue()));
      case AgentEvent _ -> {}
    }
  }

  private void tool(String agent, String tool, String outcome, Duration took) {
    var tags = Tags.of("agent", agent, "tool", tool, "outcome", outcome);
    registry.timer("superstep.tool.calls", tags).record(took);
  }

  /// A reply from a recording or a cache is not billed.
  private void tokens(ModelUse use) {
    boolean isBilled =
        switch (use.source()) {
          case LIVE, BATCHED, SCRIPTED -> true;
          case RECORDED, CACHED -> false;
        };
    if (!isBilled) return;
    count(
        "superstep.tokens",
        Tags.of("model", use.model(), "type", "input"),
        (double) use.usage().input());
    count(
        "superstep.tokens",
        Tags.of("model", use.model(), "type", "output"),
        (double) use.usage().output());
  }

  private void count(String name, Tags tags, double amount) {
    registry.counter(name, tags).increment(amount);
  }

  private static Tags graph(Origin at) {
    return Tags.of("graph", at.graph());
  }

  @Override
  public String toString() {
    return "RunMeters[" + begun.size() + " open runs]";
  }
}
