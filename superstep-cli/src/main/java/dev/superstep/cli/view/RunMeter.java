package dev.superstep.cli.view;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ModelUse;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Adds up what the events of a run tell: how far it is, how long it took, what it cost, and what
/// it waits for. One thread at a time.
final class RunMeter {
  private static final int WAITS_SHOWN = 2;

  private final Map<String, Wait> waits = new LinkedHashMap<>();
  private final Set<String> asked = new HashSet<>();
  private Instant started = Instant.EPOCH;
  private Instant latest = Instant.EPOCH;
  private List<String> nodes = List.of();
  private int done;
  private int total;
  private int finished;
  private long tokens;
  private BigDecimal cost = BigDecimal.ZERO;
  private String currency = "";

  /// Something that takes time.
  ///
  /// @param task the task that waits
  /// @param until when it is over, if that is known; else the latest instant
  private record Wait(String task, String what, Instant since, Instant until) {}

  void on(Event event) {
    var at = event.origin().at();
    if (started.equals(Instant.EPOCH)) started = at;
    latest = at;
    boolean isOuter = event.origin().path().isEmpty();
    switch (event) {
      case Event.StepStarted(_, var names, var restored) when isOuter -> {
        nodes = names.stream().distinct().toList();
        total = names.size();
        done = restored;
      }
      case Event.NodeFinished e -> {
        end(e.task());
        if (!isOuter) break;
        done++;
        finished++;
      }
      case Event.NodeFailed e -> end(e.task());
      case Event.NodeRetried e ->
          wait(
              e.task(),
              "retry",
              "a retry of " + e.node() + " (attempt " + e.attempt() + " of " + e.most() + ")",
              at,
              at.plus(e.delay()));
      case Event.InterruptRaised e -> {
        end(e.task());
        asked.add(e.interrupt().id());
      }
      case Event.InterruptAnswered e -> asked.remove(e.interrupt());
      case Event.NodeEmitted e -> emitted(e);
      case Event _ -> {}
    }
  }

  private void emitted(Event.NodeEmitted event) {
    try {
      if (event.name().equals(ModelUse.RECORDED)) {
        tokens += event.payload().as(ModelUse.class).usage().total();
      }
      AgentEvent.of(event).ifPresent(told -> told(told, event));
    } catch (MalformedJson _) {
      // A program's own event of the same name.
    }
  }

  private void told(AgentEvent told, Event.NodeEmitted event) {
    var at = event.origin().at();
    var task = event.task();
    switch (told) {
      case AgentEvent.ModelStarted e ->
          wait(task, "model " + e.agent(), "model " + e.model(), at, Instant.MAX);
      case AgentEvent.ModelCompleted e -> waits.remove(task + " model " + e.agent());
      case AgentEvent.ModelFailed e -> waits.remove(task + " model " + e.agent());
      case AgentEvent.ToolStarted e -> wait(task, e.call(), "tool " + e.tool(), at, Instant.MAX);
      case AgentEvent.ToolCompleted e -> waits.remove(task + " " + e.call());
      case AgentEvent.ToolFailed e -> waits.remove(task + " " + e.call());
      case AgentEvent.RetryScheduled e ->
          wait(task, "retry", "a retry of " + e.model(), at, at.plus(e.delay()));
      case AgentEvent.CostRecorded e -> {
        cost = cost.add(e.cost().orElse(BigDecimal.ZERO));
        currency = e.currency();
      }
      case AgentEvent _ -> {}
    }
  }

  private void wait(String task, String key, String what, Instant since, Instant until) {
    waits.put(task + " " + key, new Wait(task, what, since, until));
  }

  private void end(String task) {
    waits.values().removeIf(wait -> wait.task().equals(task));
  }

  /// Returns whether some tasks of the superstep are done, and others are not.
  boolean isInMidst() {
    return done > 0 && done < total;
  }

  boolean hasTasks() {
    return total > 0;
  }

  Instant latest() {
    return latest;
  }

  /// The progress by now.
  String text(Instant now) {
    var parts = new ArrayList<String>();
    var names = String.join(", ", nodes);
    parts.add(total <= 1 ? names : names + " " + Math.min(done, total) + "/" + total);
    parts.addAll(spent(now));
    var waiting = waiting(now);
    if (!waiting.isEmpty()) parts.add("waits for " + waiting);
    return String.join(" | ", parts);
  }

  /// The whole run: its tasks, time and cost.
  String total() {
    var parts = new ArrayList<String>();
    parts.add(finished == 1 ? "1 task done" : finished + " tasks done");
    parts.addAll(spent(latest));
    return String.join(" | ", parts);
  }

  private List<String> spent(Instant now) {
    var parts = new ArrayList<String>();
    var took = Duration.between(started, now);
    if (took.toSeconds() > 0) parts.add(TimeText.span(took));
    if (!currency.isEmpty()) parts.add(cost.stripTrailingZeros().toPlainString() + " " + currency);
    else if (tokens > 0) parts.add(tokens + " tokens");
    return parts;
  }

  private String waiting(Instant now) {
    var texts = new ArrayList<String>();
    if (!asked.isEmpty()) texts.add(asked.size() == 1 ? "1 answer" : asked.size() + " answers");
    for (var wait : waits.values()) {
      if (wait.until().isBefore(now)) continue;
      long left = wait.until().equals(Instant.MAX) ? 0 : seconds(now, wait.until());
      long since = seconds(wait.since(), now);
      if (left > 0) texts.add(wait.what() + " in " + TimeText.span(Duration.ofSeconds(left)));
      else if (since > 0)
        texts.add(wait.what() + " (" + TimeText.span(Duration.ofSeconds(since)) + ")");
      else texts.add(wait.what());
    }
    int more = texts.size() - WAITS_SHOWN;
    if (more <= 0) return String.join(", ", texts);
    return String.join(", ", texts.subList(0, WAITS_SHOWN)) + " and " + more + " more";
  }

  private static long seconds(Instant from, Instant to) {
    return Duration.between(from, to).toSeconds();
  }
}
