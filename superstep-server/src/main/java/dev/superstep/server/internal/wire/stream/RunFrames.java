package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import dev.superstep.server.internal.wire.ErrorJson;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.InterruptJson;
import dev.superstep.server.internal.wire.Trees;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Turns the events of a run into those of its stream. For one run and one thread at a time.
public final class RunFrames {
  private static final String INTERRUPT = "__interrupt__";

  private final GraphWire wire;
  private final RunContext run;
  private final StreamPlaces places;
  private final CheckpointFrames checkpoints;
  private final TaskFrames tasks;
  private final MessageFrames messages;
  private final ToolFrames tools;
  private final EventFrames events;
  private final Map<String, Interrupt> questions = new LinkedHashMap<>();
  private @Nullable ObjectNode told;

  public RunFrames(GraphWire wire, RunContext run) {
    this(wire, run, new StreamPlaces(wire, run));
  }

  public RunFrames(GraphWire wire, RunContext run, StreamPlaces places) {
    this.wire = wire;
    this.run = run;
    this.places = places;
    this.checkpoints = new CheckpointFrames(run, places);
    this.tasks = new TaskFrames(run, places, checkpoints);
    this.messages = new MessageFrames(run, places);
    this.tools = new ToolFrames(places);
    this.events = new EventFrames(run, places, messages);
  }

  /// The details that the run's listener must ask of the engine.
  public static Set<Detail> details(Set<StreamMode> modes) {
    var all = EnumSet.noneOf(Detail.class);
    for (var mode : modes) all.addAll(mode.details());
    return all;
  }

  /// Tells the state of the thread before the run, if there is one: its questions may stay open,
  /// and an input is shown with the values before it.
  public void begin(ThreadState state) {
    for (var question : state.questions()) questions.put(question.id(), question);
    checkpoints.begin(wire.values(state.state()));
  }

  /// The start of a stream.
  public List<RunFrame> start() {
    var data = Trees.object().put("run_id", run.run()).put("attempt", run.attempt());
    return List.of(new RunFrame("metadata", data));
  }

  /// The frames of an event; often none.
  public List<RunFrame> of(Event event) {
    places.note(event);
    var path = event.origin().path();
    var frames = new FrameList(run, places.namespace(path));
    switch (event) {
      case Event.StateValues e -> state(e, frames);
      case Event.CheckpointSaved e -> checkpoints.saved(e, frames);
      case Event.TaskStarted e -> {
        tools.started(e);
        tasks.started(e, frames);
      }
      case Event.NodeStarted e -> checkpoints.started(e.origin(), e.task());
      case Event.TaskEnded e -> tasks.ended(e, frames);
      case Event.NodeUpdated e -> updated(e, frames);
      case Event.TextArrived e -> messages.text(e, frames);
      case Event.NodeEmitted e -> emitted(e, frames);
      case Event.InterruptRaised e -> questions.put(e.interrupt().id(), e.interrupt());
      case Event.InterruptAnswered e -> questions.remove(e.interrupt());
      case Event.StepFinished _ -> places.forget(path);
      case Event.RunInterrupted e -> interrupted(e.interrupts(), frames);
      case Event.RunStopped e -> stopped(e, frames);
      default -> {}
    }
    events.of(event, frames);
    return frames.all();
  }

  private void state(Event.StateValues event, FrameList frames) {
    var graph = places.wire(event.origin().path());
    if (graph.isEmpty()) return;
    var shown = graph.get().values(event.values());
    values(event.origin().path(), shown, frames);
    checkpoints.state(event, shown, frames);
  }

  /// The values that the run gives back; where these are not all, only if they have changed.
  private void values(List<String> path, ObjectNode all, FrameList frames) {
    if (!path.isEmpty() || wire.served().outputs().isEmpty()) {
      frames.add(StreamMode.VALUES, all);
      return;
    }
    var given = wire.outputs(all);
    if (given.equals(told)) return;
    told = given;
    frames.add(StreamMode.VALUES, given);
  }

  private void updated(Event.NodeUpdated event, FrameList frames) {
    messages.written(event, frames);
    tools.written(event, frames);
    var graph = places.wire(event.origin().path());
    if (graph.isEmpty() || !frames.has(StreamMode.UPDATES)) return;
    var update = graph.get().update(event.writes());
    boolean isGiven = event.origin().path().isEmpty() && update instanceof ObjectNode;
    var shown = isGiven ? given((ObjectNode) update) : update;
    frames.add(StreamMode.UPDATES, named(event.node(), shown));
  }

  private JsonNode given(ObjectNode update) {
    var given = wire.outputs(update);
    return given.isEmpty() ? JsonNodeFactory.instance.nullNode() : given;
  }

  private static ObjectNode named(String name, JsonNode value) {
    var json = Trees.object();
    json.set(name, value);
    return json;
  }

  private void emitted(Event.NodeEmitted event, FrameList frames) {
    var agents = AgentEvent.of(event);
    if (agents.isEmpty()) {
      frames.add(StreamMode.CUSTOM, Trees.of(event.payload()));
      return;
    }
    tools.told(agents.get(), frames);
    if (agents.get() instanceof AgentEvent.ModelDelta delta) {
      messages.thought(event, delta, frames);
    }
  }

  private void interrupted(List<String> ids, FrameList frames) {
    var open = JsonNodeFactory.instance.arrayNode();
    for (var id : ids) {
      var question = questions.get(id);
      if (question != null) open.add(InterruptJson.of(question));
    }
    frames.add(StreamMode.UPDATES, named(INTERRUPT, open));
    frames.add(StreamMode.VALUES, withInterrupts(open));
  }

  private ObjectNode withInterrupts(ArrayNode open) {
    var json = wire.outputs(checkpoints.values(List.of())).deepCopy();
    json.set(INTERRUPT, open);
    return json;
  }

  /// A breakpoint asks nothing.
  private static void stopped(Event.RunStopped event, FrameList frames) {
    if (!event.reason().equals(Outcome.Reason.PAUSED.name())) return;
    var nothing = named(INTERRUPT, JsonNodeFactory.instance.arrayNode());
    frames.add(StreamMode.UPDATES, nothing);
    frames.add(StreamMode.VALUES, nothing);
  }

  /// The end of a run that failed.
  public List<RunFrame> failed(Throwable error) {
    return List.of(new RunFrame("error", ErrorJson.of(error)));
  }
}
