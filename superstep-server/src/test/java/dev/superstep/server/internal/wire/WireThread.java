package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.event.Detail;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.wire.stream.ProtocolEvents;
import dev.superstep.server.internal.wire.stream.RunContext;
import dev.superstep.server.internal.wire.stream.RunFrame;
import dev.superstep.server.internal.wire.stream.RunFrames;
import dev.superstep.server.internal.wire.stream.StreamMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A thread of a graph that is run and looked at in the form of the wire, and the protocol of that
/// for golden files: with ids in the order in which they are first seen. For one thread.
final class WireThread {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern UUIDS =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern QUESTIONS =
      Pattern.compile(
          "(?<=\\{\"id\":\")[0-9a-z]{10}(?=\",\"value\")"
              + "|(?<=\"interrupt_id\":\"|\"interrupt_ids\":\\[\")[0-9a-z]{10}(?=\")");
  private static final Pattern TIMES = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

  final GraphWire wire;
  final ThreadStates states;
  private final Checkpointer store;
  private final StringBuilder protocol = new StringBuilder();
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, String> metadata = new HashMap<>();
  private final List<RunFrame> all = new ArrayList<>();
  private int inputs;
  private boolean subgraphs;
  private boolean isOfEvents;

  WireThread(Graph graph, Checkpointer store) {
    this.wire = new GraphWire(ServedGraph.of(graph));
    this.store = store;
    this.states = new ThreadStates(wire, store);
  }

  static JsonNode json(String text) {
    return parsed(text.replace('\'', '"'));
  }

  static JsonNode parsed(String text) {
    return Trees.of(Json.unchecked(text));
  }

  RunOptions options() {
    return RunOptions.thread("T").checkpoints(store);
  }

  WireThread withSubgraphs() {
    subgraphs = true;
    return this;
  }

  /// From now on, runs are noted as events of the event-streaming protocol.
  WireThread withEvents() {
    isOfEvents = true;
    return this;
  }

  WireThread with(String name, String value) {
    metadata.put(name, value);
    return this;
  }

  /// Runs the graph on new input.
  void input(String input, StreamMode... modes) {
    note("input " + input);
    var parsed = wire.input(json(input));
    inputs = RunMetadata.inputs(store.latest(Lineage.of("T")).map(Saved::checkpoint), true);
    run(options -> wire.graph().invoke(parsed, options), modes);
  }

  /// Goes on, with the answer to the open question or with none.
  void resume(String answer, StreamMode... modes) {
    note("resume " + answer);
    var open = wire.graph().state(options()).orElseThrow().questions();
    var answers = answer.isEmpty() ? Answers.none() : wire.answers(json(answer), open);
    run(options -> wire.graph().resume(answers, options), modes);
  }

  private interface Run {
    Outcome run(RunOptions options) throws Exception;
  }

  private void run(Run run, StreamMode... modes) {
    Set<StreamMode> wanted = new LinkedHashSet<>(List.of(modes));
    var options = options();
    var counted = new HashMap<>(metadata);
    if (inputs > 0) counted.put(RunMetadata.INPUTS, String.valueOf(inputs));
    for (var one : counted.entrySet()) options = options.metadata(one.getKey(), one.getValue());
    var shown = new HashMap<String, JsonNode>();
    RunMetadata.shown(metadata).forEachEntry(shown::put);
    var context = new RunContext("R", "T", "A", 1, shown, inputs, wanted, subgraphs);
    if (isOfEvents) {
      events(run, options, context);
      return;
    }
    var frames = new RunFrames(wire, context);
    wire.graph().state(options()).ifPresent(frames::begin);
    var seen = new ArrayList<>(frames.start());
    options =
        options.listener(
            event -> seen.addAll(frames.of(event)),
            RunFrames.details(wanted).toArray(Detail[]::new));
    try {
      run.run(options);
    } catch (Exception e) {
      seen.addAll(frames.failed(e));
    }
    for (var frame : seen) note(frame.event(), frame.data());
    all.addAll(seen);
  }

  private void events(Run run, RunOptions options, RunContext context) {
    var events = new ProtocolEvents(wire, context);
    wire.graph().state(options()).ifPresent(events::begin);
    var seen = new ArrayList<>(events.start(List.of()));
    var status = "completed";
    try {
      var listening =
          options.listener(
              event -> seen.addAll(events.of(event)),
              ProtocolEvents.details().toArray(Detail[]::new));
      if (run.run(listening) instanceof Outcome.Interrupted) status = "interrupted";
    } catch (Exception e) {
      status = "failed";
    }
    seen.addAll(events.end(status, Optional.empty()));
    for (var event : seen) {
      var stored = (ObjectNode) Trees.of(event.stored());
      ((ObjectNode) stored.path("params")).remove("timestamp");
      note(event.method(), stored.path("params"));
    }
  }

  /// The data of all frames so far of this name.
  List<JsonNode> seen(String event) {
    return all.stream().filter(f -> f.event().equals(event)).map(RunFrame::data).toList();
  }

  ObjectNode state(boolean deep) {
    var state = states.latest("T", deep);
    note("state", state);
    return state;
  }

  List<ObjectNode> history(HistoryQuery query) {
    var history = states.history("T", query);
    note("history");
    history.forEach(state -> note("-", state));
    return history;
  }

  void note(String text) {
    protocol.append("== ").append(text).append('\n');
  }

  void note(String what, JsonNode json) {
    protocol.append(what).append(' ').append(JSON.writeValueAsString(json)).append('\n');
  }

  /// All that happened, with ids and times that are the same in every run.
  String protocol() {
    var text = TIMES.matcher(protocol).replaceAll("<time>");
    text = QUESTIONS.matcher(text).replaceAll("<question>");
    return UUIDS
        .matcher(text)
        .replaceAll(found -> ids.computeIfAbsent(found.group(), _ -> "<" + (ids.size() + 1) + ">"));
  }
}
