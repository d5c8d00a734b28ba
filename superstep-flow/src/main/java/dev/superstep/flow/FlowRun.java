package dev.superstep.flow;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.RunRefused;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A run of a flow that makes one bounded transition per call: a step, a model call, a tool call.
/// Between any two it can be inspected, saved as a snapshot, and continued in another process.
///
/// ```java
/// var run = flow.start(order);
/// FlowStep<Invoice> step = run.next();
/// while (step instanceof Continue) step = run.next();
/// ```
///
/// The transitions are those of a whole run, in the order of its supersteps; independent steps run
/// in the order in which the flow names them. If a method throws, the run is where it was before
/// the call, with the steps that finished. One thread at a time.
///
/// @param <O> the output of the flow
public final class FlowRun<I, O> {
  private final Flow<I, O> flow;
  private final RunOptions options;
  private final AtomicInteger turns = new AtomicInteger();

  /// The conversations from before this run was restored.
  private final FlowHistory before;

  private final FlowSnapshot.@Nullable Form restored;
  private @Nullable Given repeatable;
  private boolean hasGoneOn;

  /// An answer whose transition failed: it may be given again.
  private record Given(String id, Json answer) {}

  private FlowRun(
      Flow<I, O> flow,
      RunOptions options,
      FlowHistory before,
      FlowSnapshot.@Nullable Form restored) {
    this.flow = flow;
    this.options = options.listener(this::record);
    this.before = before;
    this.restored = restored;
  }

  static <I, O> FlowRun<I, O> start(Flow<I, O> flow, I value, RunOptions options)
      throws InterruptedException {
    var run = new FlowRun<>(flow, withCheckpointer(options), FlowHistory.none(), null);
    try {
      flow.graph().invoke(flow.input(value), run.options.taskLimit(0));
    } catch (SuperstepException e) {
      throw flow.errors().of(e);
    }
    return run;
  }

  static <I, O> FlowRun<I, O> reopen(Flow<I, O> flow, RunOptions options) {
    if (flow.graph().state(options).isEmpty()) {
      var thread = options.thread().orElse("");
      throw new FlowError.SnapLoadError("nothing is kept of thread `" + thread + "`.", null);
    }
    return new FlowRun<>(flow, options, FlowHistory.none(), null);
  }

  static <I, O> FlowRun<I, O> fromSnapshot(
      Flow<I, O> flow, FlowSnapshot snapshot, RunOptions options) {
    return restored(flow, snapshot.form(), withCheckpointer(options), FlowHistory.none());
  }

  private static <I, O> FlowRun<I, O> restored(
      Flow<I, O> flow, FlowSnapshot.Form form, RunOptions options, FlowHistory history) {
    var check = new SnapshotCheck(flow, form);
    check.definition();
    var carrying =
        new SnapshotTransfer(options.checkpointer().orElseThrow(), options.thread().orElseThrow());
    carrying.put(form, history, flow.graph().topology().json().text());
    var run = new FlowRun<>(flow, options, history, form);
    check.content(run::state);
    return run;
  }

  private static RunOptions withCheckpointer(RunOptions options) {
    if (options.checkpointer().isPresent()) return options;
    return options.on("flow-" + UUID.randomUUID(), new InMemoryCheckpointer());
  }

  /// Returns the run with the conversations from before it was restored. Only for a run that was
  /// just restored from a snapshot; without them, a run cannot continue in the middle of an agent.
  public FlowRun<I, O> withHistory(FlowHistory history) {
    if (restored == null || hasGoneOn) {
      throw new IllegalStateException("only a run that was just made from a snapshot lacks it");
    }
    new SnapshotTransfer(store(), options.thread().orElseThrow()).clear();
    return restored(flow, restored, options, history);
  }

  /// Makes one transition. If a [drain][dev.superstep.graph.Drain] lets it not begin, the result is
  /// [stopped][FlowOutcome.Stopped] and the run is where it was.
  ///
  /// @throws FlowError.ResumeRequired if the flow waits for an answer
  /// @throws FlowError if the transition fails; the next call tries it again
  /// @throws InterruptedException if the calling thread is interrupted
  public FlowStep<O> next() throws InterruptedException {
    var open = suspensions();
    if (!open.isEmpty()) throw new FlowError.ResumeRequired(flow.name(), open);
    return step(Answers.none());
  }

  /// Answers something that the flow waits for, and makes one transition. If a
  /// [drain][dev.superstep.graph.Drain] lets it not begin, the result is
  /// [stopped][FlowOutcome.Stopped] and the answer is still to be given.
  ///
  /// @param id of the suspension, or its tool id while no other has that
  /// @param answer a value of a closed type, or [Json]
  /// @throws FlowError.UnexpectedResumption if the flow waits for nothing
  /// @throws FlowError.ResumeMismatchError if it waits for something else
  /// @throws FlowError.DeserializeError if the answer does not fit; the flow still waits then
  /// @throws FlowError if the transition fails; then the same answer may be given again
  /// @throws InterruptedException if the calling thread is interrupted
  public FlowStep<O> resume(String id, Object answer) throws InterruptedException {
    var json = answer instanceof Json given ? given : Json.of(answer);
    var again = repeatable;
    if (again != null && again.equals(new Given(id, json))) return repeat(again, Answers.none());
    var open = suspensions();
    if (open.isEmpty()) throw new FlowError.UnexpectedResumption(flow.name(), id);
    var addressed = addressed(id, open);
    return repeat(new Given(id, json), Answers.json(addressed.id(), json));
  }

  private FlowStep<O> repeat(Given given, Answers answers) throws InterruptedException {
    try {
      var step = step(answers);
      repeatable = null;
      return step;
    } catch (FlowError.DeserializeError e) {
      throw e;
    } catch (RuntimeException | InterruptedException e) {
      repeatable = given;
      throw e;
    }
  }

  private PendingWait addressed(String id, List<PendingWait> open) {
    for (var one : open) if (one.id().equals(id)) return one;
    var named = open.stream().filter(one -> one.toolId().equals(id)).toList();
    if (named.size() == 1) return named.getFirst();
    var why = named.isEmpty() ? "nothing of that name is open" : "several things have that name";
    throw new FlowError.ResumeMismatchError(flow.name(), id, open, why);
  }

  private FlowStep<O> step(Answers answers) throws InterruptedException {
    checkHistory();
    hasGoneOn = true;
    try {
      var ended = flow.graph().resume(answers, options.taskLimit(1));
      if (ended instanceof Outcome.Stopped(var reason, _) && reason == Outcome.Reason.TASK_LIMIT) {
        return new FlowStep.Continue<>(state().step());
      }
      return flow.outcome(ended, options);
    } catch (RunRefused _) {
      return new FlowOutcome.Stopped<>(Outcome.Reason.DRAINED);
    } catch (SuperstepException e) {
      throw flow.errors().of(e);
    }
  }

  private void checkHistory() {
    if (restored == null) return;
    for (var task : SnapshotTransfer.agents(restored.at())) {
      if (before.of(task).isPresent()) continue;
      throw new FlowError.SnapLoadError(
          "an agent is at work in it, which needs to know what was said. Give it the history that"
              + " belongs to the snapshot, by `withHistory`.",
          null);
    }
  }

  /// Goes on until there is an output, a suspension, or a limit.
  ///
  /// @throws FlowError.ResumeRequired if the flow waits for an answer
  /// @throws FlowError.LimitError if it would need more turns, or more depth, than it may
  /// @throws InterruptedException if the calling thread is interrupted
  public FlowOutcome<O> runUntil(FlowLimits limits) throws InterruptedException {
    turns.set(0);
    var clock = options.clock();
    Instant began = clock.instant();
    for (int steps = 0; steps < limits.steps(); steps++) {
      if (!clock.instant().isBefore(end(began, limits))) {
        return new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.TIME);
      }
      check(limits);
      if (next() instanceof FlowOutcome<O> outcome) return outcome;
    }
    return new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.STEPS);
  }

  private static Instant end(Instant began, FlowLimits limits) {
    return began.plus(limits.time());
  }

  private void check(FlowLimits limits) {
    int depth = 0;
    var at = state();
    while (!at.inside().isEmpty()) {
      at = at.inside().values().iterator().next();
      depth++;
    }
    if (depth > limits.depth()) {
      throw new FlowError.LimitError(flow.name(), "depth", limits.depth());
    }
    if (turns.get() >= limits.turns() && at.next().contains("model")) {
      throw new FlowError.LimitError(flow.name(), "turns", limits.turns());
    }
  }

  private void record(Event event) {
    if (event instanceof Event.NodeEmitted emitted && emitted.name().equals("model.completed")) {
      turns.incrementAndGet();
    }
  }

  /// The answers that the flow waits for; empty if it can continue.
  public List<PendingWait> suspensions() {
    return PendingWaits.of(state());
  }

  /// The value of a state, if it is there.
  ///
  /// @throws FlowError.NotFound if the flow has no such state
  public <T> Optional<T> get(Class<T> type) {
    var state = StateType.of(flow.name(), type);
    var known = new ArrayList<String>();
    for (var channel : flow.states()) {
      if (channel.key().equals(state.key())) return state().state().find(flow.channel(state));
      known.add(channel.key());
    }
    throw new FlowError.NotFound(flow.name(), state.key(), known);
  }

  /// The state of the run in the engine.
  public ThreadState state() {
    return flow.graph().state(options).orElseThrow();
  }

  /// Everything that another process needs to continue, except for the conversations of agents.
  ///
  /// @throws FlowError.SerializeError if a state, which was in memory alone, cannot be stored
  public FlowSnapshot snapshot() {
    var carrying = new SnapshotTransfer(store(), options.thread().orElseThrow());
    return new FlowSnapshot(
        new FlowSnapshot.Form(
            FlowSnapshot.FORMAT,
            flow.name(),
            FlowDescription.of(flow.shape()),
            states(carrying),
            suspensions(),
            carrying.position()));
  }

  private Map<String, Json> states(SnapshotTransfer carrying) {
    try {
      return carrying.states();
    } catch (MalformedJson e) {
      throw new FlowError.SerializeError(flow.name(), "a state", e);
    }
  }

  /// The conversations of the agents, finished ones included.
  public FlowHistory history() {
    return before.and(new SnapshotTransfer(store(), options.thread().orElseThrow()).history());
  }

  private Checkpointer store() {
    return options.checkpointer().orElseThrow();
  }

  @Override
  public String toString() {
    return "FlowRun[" + flow.name() + "]";
  }
}
