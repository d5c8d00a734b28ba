package dev.superstep.agent.status;

import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.status.AgentStatus.ActiveCall;
import dev.superstep.agent.status.AgentStatus.Counters;
import dev.superstep.agent.status.AgentStatus.Phase;
import dev.superstep.agent.status.AgentStatus.Place;
import dev.superstep.agent.status.AgentStatus.Stage;
import dev.superstep.agent.status.AgentStatus.Times;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A status that is being changed. One thread at a time.
final class AgentStatusBuilder {
  private final String parent;
  private final List<ActiveCall> active = new ArrayList<>();
  private final Instant began;
  private String run;
  private String root;
  private String agent;
  private Place place;
  private Stage stage;
  private Phase phase;
  private Counters counters;
  private Usage usage;
  private Optional<BigDecimal> cost;
  private Instant last;
  private Optional<Instant> ended;
  private long lastEvent;
  private Optional<String> code;

  AgentStatusBuilder(AgentStatus status) {
    parent = status.parent();
    root = status.root();
    agent = status.agent();
    active.addAll(status.active());
    began = status.times().began();
    run = status.run();
    place = status.place();
    stage = status.stage();
    phase = status.phase();
    counters = status.counters();
    usage = status.usage();
    cost = status.cost();
    last = status.times().last();
    ended = status.times().ended();
    lastEvent = status.times().lastEvent();
    code = status.code();
  }

  /// An agent that has begun.
  static AgentStatusBuilder started(Event.NodeEmitted event, AgentEvent.AgentStarted told) {
    var named = blank(told.agent(), told.parent(), told.root(), event.origin());
    return new AgentStatusBuilder(named).begins(event, told);
  }

  /// An agent that was called and has not begun. Its name is that of the tool.
  static AgentStatusBuilder called(
      Event.NodeEmitted event, AgentEvent.SubagentStarted told, AgentStatus caller) {
    var draft =
        new AgentStatusBuilder(blank(told.subagent(), caller.run(), caller.root(), event.origin()));
    draft.stage = Stage.PENDING;
    return draft;
  }

  /// An agent at work whose start is not among the events.
  static AgentStatusBuilder missed(Event.NodeEmitted event) {
    return new AgentStatusBuilder(blank(event.origin().graph(), "", "", event.origin()));
  }

  private static AgentStatus blank(String agent, String parent, String root, Origin at) {
    return new AgentStatus(
        "",
        parent,
        root,
        agent,
        new Place(at.thread(), at.run(), at.path()),
        Stage.RUNNING,
        Phase.STARTING,
        Counters.NONE,
        List.of(),
        Usage.NONE,
        Optional.empty(),
        new Times(at.at(), at.at(), Optional.empty(), at.sequence()),
        Optional.empty());
  }

  AgentStatus status() {
    return new AgentStatus(
        run,
        parent,
        root,
        agent,
        place,
        stage,
        phase,
        counters,
        active,
        usage,
        cost,
        new Times(began, last, ended, lastEvent),
        code);
  }

  /// The event is the last one that is known.
  AgentStatusBuilder seen(Origin at) {
    last = at.at();
    lastEvent = at.sequence();
    if (!place.graphRun().equals(at.run())) {
      place = new Place(place.thread(), at.run(), place.path());
    }
    return this;
  }

  AgentStatusBuilder begins(Event.NodeEmitted event, AgentEvent.AgentStarted told) {
    var at = event.origin();
    run = told.run();
    place = new Place(at.thread(), at.run(), at.path());
    stage = Stage.RUNNING;
    phase = Phase.STARTING;
    // Until now it had the name of the tool by which it is called.
    agent = told.agent();
    root = told.root();
    return seen(at);
  }

  AgentStatusBuilder calls(Event.NodeEmitted event, AgentEvent.SubagentStarted told) {
    counters = counters.plus(new Counters(0, 0, 0, 1, 0, 0));
    // Its own task is one that is to come.
    add(ActiveCall.What.AGENT, told.call(), told.subagent(), "", event);
    return seen(event.origin());
  }

  private void add(
      ActiveCall.What what, String id, String name, String task, Event.NodeEmitted event) {
    active.add(new ActiveCall(what, id, name, task, event.origin().at()));
  }

  boolean isAnswered(String call) {
    return active.removeIf(one -> one.what() == ActiveCall.What.AGENT && one.id().equals(call));
  }

  AgentStatusBuilder apply(Event.NodeEmitted event, AgentEvent told) {
    var at = event.origin();
    seen(at);
    if (stage == Stage.INTERRUPTED || stage.hasEnded()) stage = Stage.RUNNING;
    ended = Optional.empty();
    switch (told) {
      case AgentEvent.MemoryLoaded _ -> phase = Phase.LOADING_MEMORY;
      case AgentEvent.MemorySaved _ -> phase = Phase.SAVING_MEMORY;
      case AgentEvent.ContextCompressed _, AgentEvent.SummaryCreated _ -> phase = Phase.SUMMARIZING;
      case AgentEvent.ModelStarted e -> {
        phase = Phase.CALLING_MODEL;
        add(ActiveCall.What.MODEL, e.model(), e.model(), event.task(), event);
      }
      case AgentEvent.ModelCompleted e -> replied(e, event.task());
      case AgentEvent.ModelFailed e -> done(ActiveCall.What.MODEL, e.model(), event.task());
      case AgentEvent.RetryScheduled _ -> counters = counters.plus(new Counters(0, 0, 0, 0, 1, 0));
      case AgentEvent.BudgetReconciled e -> {
        if (e.cost().signum() > 0) cost = Optional.of(cost.orElse(BigDecimal.ZERO).add(e.cost()));
      }
      case AgentEvent.ToolStarted e -> {
        phase = Phase.CALLING_TOOLS;
        add(ActiveCall.What.TOOL, e.call(), e.tool(), event.task(), event);
      }
      case AgentEvent.ToolCompleted e -> {
        counters = counters.plus(new Counters(0, 1, 0, 0, 0, 0));
        done(ActiveCall.What.TOOL, e.call(), event.task());
      }
      case AgentEvent.ToolFailed e -> {
        counters = counters.plus(new Counters(0, 1, 1, 0, 0, 0));
        done(ActiveCall.What.TOOL, e.call(), event.task());
      }
      case AgentEvent.LimitMet _ -> stage = Stage.DRAINING;
      case AgentEvent.Steered e -> {
        if (e.kind().equals(CANCEL) && e.what().equals(APPLIED)) stage = Stage.DRAINING;
      }
      case AgentEvent.AgentFailed e -> code = Optional.of(e.code());
      case AgentEvent.AgentCompleted e -> completed(e, at);
      case AgentEvent _ -> {}
    }
    return this;
  }

  private static final String CANCEL = Steer.Cancel.class.getSimpleName();
  private static final String APPLIED = Steering.State.APPLIED.name();

  private void replied(AgentEvent.ModelCompleted told, String task) {
    counters = counters.plus(new Counters(1, 0, 0, 0, 0, 0));
    usage = usage.plus(told.usage());
    phase = Phase.VALIDATING_STRUCTURED_OUTPUT;
    done(ActiveCall.What.MODEL, told.model(), task);
  }

  /// Removes a call that was answered. A recorded model answers by another name than it was asked
  /// by.
  private void done(ActiveCall.What what, String id, String task) {
    for (var one : active.reversed()) {
      if (one.what() != what || !one.task().equals(task)) continue;
      if (what != ActiveCall.What.MODEL && !one.id().equals(id)) continue;
      active.remove(one);
      return;
    }
  }

  private void completed(AgentEvent.AgentCompleted told, Origin at) {
    run = told.run();
    usage = told.usage();
    switch (told.reason()) {
      case FAILED -> end(Stage.FAILED, Phase.FAILED, at);
      case CANCELLED -> end(Stage.CANCELLED, Phase.CANCELLED, at);
      case ANSWERED,
          TOOL_ANSWERED,
          STOPPED,
          CUT_OFF,
          FILTERED,
          MODEL_CALL_LIMIT,
          TOOL_CALL_LIMIT,
          TIME_LIMIT,
          BUDGET_LIMIT,
          DEPTH_LIMIT -> {
        code = Optional.empty();
        end(Stage.COMPLETED, Phase.COMPLETED, at);
      }
    }
  }

  private void end(Stage how, Phase what, Origin at) {
    stage = how;
    phase = what;
    active.clear();
    ended = Optional.of(at.at());
  }

  /// A node of its graph begins.
  void begins(String node) {
    if (stage == Stage.INTERRUPTED) stage = Stage.RUNNING;
    switch (node) {
      case AgentNodes.MODEL -> phase = Phase.BUILDING_PROMPT;
      case AgentNodes.FINISH -> phase = Phase.SAVING_MEMORY;
      case AgentNodes.BEGIN, AgentNodes.REVIEW, AgentNodes.STEER -> {}
      default -> phase = Phase.CALLING_TOOLS;
    }
  }

  /// A task of its graph has ended.
  void leaves(String task) {
    active.removeIf(one -> one.task().equals(task));
  }

  void isTriedAgain(Event.NodeRetried event) {
    if (event.point().isEmpty()) leaves(event.task());
    counters = counters.plus(new Counters(0, 0, 0, 0, 1, 0));
  }

  void asks() {
    stage = Stage.WAITING;
    counters = counters.plus(new Counters(0, 0, 0, 0, 0, 1));
  }

  /// Its thread is at work again. One that failed or was stopped goes on where it was.
  void resume() {
    active.clear();
    if (hasEndEvent()) return;
    boolean isCalled = run.isEmpty() && !parent.isEmpty();
    stage = isCalled ? Stage.PENDING : Stage.RUNNING;
    ended = Optional.empty();
    code = Optional.empty();
  }

  /// Returns true if the agent reported its own end, rather than ending with its run.
  private boolean hasEndEvent() {
    return switch (phase) {
      case COMPLETED, FAILED, CANCELLED -> true;
      case STARTING,
          LOADING_MEMORY,
          BUILDING_PROMPT,
          CALLING_MODEL,
          VALIDATING_STRUCTURED_OUTPUT,
          CALLING_TOOLS,
          SUMMARIZING,
          SAVING_MEMORY ->
          false;
    };
  }

  void isInterrupted(Origin at) {
    if (stage.hasEnded()) return;
    active.clear();
    stage = Stage.INTERRUPTED;
    seen(at);
  }

  /// Its run was stopped. What it did is still what it will do when it goes on.
  void isStopped(Origin at) {
    if (stage.hasEnded()) return;
    active.clear();
    stage = Stage.CANCELLED;
    ended = Optional.of(at.at());
    seen(at);
  }

  void hasFailed(Origin at, String error) {
    if (stage.hasEnded()) return;
    active.clear();
    stage = Stage.FAILED;
    if (code.isEmpty()) code = Optional.of(error);
    ended = Optional.of(at.at());
    seen(at);
  }
}
