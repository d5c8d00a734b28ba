package dev.superstep.server.internal.wire.stream;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.Trees;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An event of a thread in the event-streaming protocol, without its place in the thread's log,
/// which is its `seq`. Immutable.
///
/// @param run that it belongs to
/// @param method its channel; of channel `input` the event
/// @param namespace of the graph in which it happened; empty for the thread's own
/// @param millis when it happened, since 1970
/// @param node the node that it is about, if it is about one
public record ProtocolEvent(
    String run,
    String method,
    List<String> namespace,
    long millis,
    Optional<String> node,
    JsonNode data) {
  private static final String LIFECYCLE = "lifecycle";
  private static final List<String> REFUSAL = List.of("reason", "interrupt_ids", "pending_ids");

  public ProtocolEvent {
    namespace = List.copyOf(namespace);
  }

  /// An event of the thread's own graph.
  public static ProtocolEvent ofRoot(String run, String method, long millis, JsonNode data) {
    return new ProtocolEvent(run, method, List.of(), millis, Optional.empty(), data);
  }

  /// The start of a run, or its end.
  ///
  /// @param status `running`, `completed`, `failed` or `interrupted`
  /// @param error of a run that failed: `{message}`, and why it was refused if it was
  public static ProtocolEvent lifecycle(
      String run, String graph, String status, Optional<JsonNode> error) {
    var data = Trees.object().put("event", status).put("graph_name", graph);
    error.ifPresent(known -> {
      data.put("error", known.path("message").asString(""));
      for (var field : REFUSAL) if (known.has(field)) data.set(field, known.get(field));
    });
    return ofRoot(run, LIFECYCLE, System.currentTimeMillis(), data);
  }

  /// The form in which it is stored.
  public Json stored() {
    var json = Trees.object().put("run", run).put("method", method);
    var params = json.putObject("params");
    var names = params.putArray("namespace");
    namespace.forEach(names::add);
    params.put("timestamp", millis);
    node.ifPresent(name -> params.put("node", name));
    params.set("data", data);
    return Trees.json(json, "event");
  }

  /// The form in which clients see a stored event.
  ///
  /// @param seq its place in the log of its thread
  public static ObjectNode shown(JsonNode stored, long seq) {
    var json = Trees.object().put("type", "event").put("event_id", id(stored, seq)).put("seq", seq);
    json.set("method", stored.path("method"));
    json.set("params", stored.path("params"));
    return json;
  }

  /// Returns whether clients wait for a stored event: the start or end of a run or of a graph in
  /// it, or a question.
  public static boolean isAwaited(Json stored) {
    var method = Trees.of(stored).path("method").asString("");
    return method.equals(LIFECYCLE) || method.startsWith("input.");
  }

  /// Clients find the run of a start or an end of one in its id.
  private static String id(JsonNode stored, long seq) {
    boolean isOfRun =
        stored.path("method").asString("").equals(LIFECYCLE)
            && stored.path("params").path("namespace").isEmpty();
    return isOfRun ? "synth:" + stored.path("run").asString("") + ":" + seq : String.valueOf(seq);
  }

  /// The place of an event by its id.
  ///
  /// @return empty if it is none of ours
  public static OptionalLong seq(String id) {
    var number = id.substring(id.lastIndexOf(':') + 1);
    try {
      return OptionalLong.of(Long.parseLong(number));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }
}
