package dev.superstep.mcp.internal.task;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The task of a call, as a run stores it, so that another process follows the same task.
///
/// @param id that the server gave it
/// @param answered the keys of questions that were answered
/// @param open the key of the question that a person is asked; empty for none, and for a task of
///   revision 2025-11-25, whose questions have none
/// @param responses that the server has not got yet, by keys; an object
public record TaskHandle(String id, Set<String> answered, Optional<String> open, Json responses) {
  private static final String ID = "taskId";
  private static final String ANSWERED = "answered";
  private static final String OPEN = "open";
  private static final String RESPONSES = "responses";
  private static final int ID_MAX = 1_000;
  private static final int ANSWERED_MAX = 100;

  public TaskHandle {
    answered = Set.copyOf(answered);
  }

  /// The handle of a task that a server has made.
  ///
  /// @throws RequestFailed if its id cannot be used
  public static TaskHandle created(JsonNode told) throws RequestFailed {
    var id = Wire.text(told, ID);
    if (id.isEmpty() || id.length() > ID_MAX) throw misbehaved("made a task without a usable id.");
    return new TaskHandle(id, Set.of(), Optional.empty(), Wire.json(Wire.object()));
  }

  private static RequestFailed misbehaved(String how) {
    return new RequestFailed(new RequestFailed.Misbehaved(how));
  }

  /// The handle in what a run has stored, if it is one.
  public static Optional<TaskHandle> read(Json rest) {
    var told = Wire.tree(rest);
    if (!told.has(ID)) return Optional.empty();
    var answered = new LinkedHashSet<String>();
    for (var key : told.path(ANSWERED)) answered.add(key.asString(""));
    var open = told.has(OPEN) ? Optional.of(Wire.text(told, OPEN)) : Optional.<String>empty();
    var responses = Wire.json(told.path(RESPONSES));
    return Optional.of(new TaskHandle(Wire.text(told, ID), answered, open, responses));
  }

  /// The handle as a run stores it.
  public Json json() {
    var told = Wire.object().put(ID, id);
    var list = told.putArray(ANSWERED);
    answered.stream().sorted().forEach(list::add);
    open.ifPresent(key -> told.put(OPEN, key));
    told.set(RESPONSES, Wire.tree(responses));
    return Wire.json(told);
  }

  /// The handle while a person is asked.
  public TaskHandle asking(String key) {
    return new TaskHandle(id, answered, Optional.of(key), responses);
  }

  /// The handle with the reply to the open question, which the server has not got yet.
  public TaskHandle replying(ObjectNode reply) {
    var all = (ObjectNode) Wire.tree(responses);
    open.ifPresent(key -> all.set(key, reply));
    return new TaskHandle(id, answered, Optional.empty(), Wire.json(all));
  }

  /// The handle after the server has got responses.
  ///
  /// @throws RequestFailed if the server asks too much
  public TaskHandle responded(JsonNode sent) throws RequestFailed {
    var all = new LinkedHashSet<>(answered);
    all.addAll(sent.propertyNames());
    if (all.size() > ANSWERED_MAX) throw misbehaved("asked more than 100 things in one task.");
    return new TaskHandle(id, all, Optional.empty(), Wire.json(Wire.object()));
  }
}
