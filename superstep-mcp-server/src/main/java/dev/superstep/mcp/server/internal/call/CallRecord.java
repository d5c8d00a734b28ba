package dev.superstep.mcp.server.internal.call;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.run.Answers;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A call as it is stored beside its thread. Immutable.
///
/// @param id which nobody can guess
/// @param principal who called; nobody else sees it
/// @param isTask whether the client asks for the result later
/// @param status in the words of the protocol
/// @param message about the status, for people
/// @param keep how long it is kept after it began
/// @param result of a task that has ended
/// @param given answers by the ids of their questions: they wait for others, or to be used
public record CallRecord(
    String id,
    String server,
    String principal,
    String tool,
    Json arguments,
    boolean isTask,
    String status,
    String message,
    Duration keep,
    Instant created,
    Instant updated,
    Optional<Json> result,
    Optional<Json> given) {
  public static final String WORKING = "working";
  public static final String WAITING = "input_required";
  static final String COMPLETED = "completed";
  static final String FAILED = "failed";
  static final String CANCELLED = "cancelled";
  public static final String RELATED = "io.modelcontextprotocol/related-task";

  private static final Set<String> ENDED = Set.of(COMPLETED, FAILED, CANCELLED);
  private static final String THREAD = "mcp-";
  private static final int POLL_MILLIS = 1_000;

  public boolean hasEnded() {
    return ENDED.contains(status);
  }

  /// The name of its thread in the checkpointer.
  public String thread() {
    return THREAD + id;
  }

  /// A copy in another status.
  public CallRecord in(String other, String why) {
    // Answers count until they are used: by whichever process works at the call then.
    var kept = other.equals(WORKING) ? given : Optional.<Json>empty();
    return copy(isTask, other, why, result, kept);
  }

  /// A copy with its result.
  CallRecord with(Json end) {
    return copy(isTask, status, message, Optional.of(end), Optional.empty());
  }

  /// A copy that is kept for another time after it began.
  CallRecord kept(Duration time) {
    return new CallRecord(
        id, server, principal, tool, arguments, isTask, status, message, time, created, updated,
        result, given);
  }

  /// A copy that is a task.
  CallRecord asTask() {
    return copy(true, status, message, result, given);
  }

  /// A copy with these answers as well.
  public CallRecord and(Answers answers) {
    var all = (ObjectNode) given.map(Wire::tree).orElseGet(Wire::object).deepCopy();
    for (var one : answers.all()) all.set(one.interrupt(), Wire.tree(one.value()));
    return given(Wire.json(all));
  }

  /// The answers that it was given to these questions.
  Answers answers(List<Interrupt> open) {
    var all = given.map(Wire::tree).orElseGet(Wire::object);
    var found = Answers.none();
    for (var question : open) {
      var value = all.path(question.id());
      if (!value.isMissingNode()) found = found.and(Answers.json(question.id(), Wire.json(value)));
    }
    return found;
  }

  private CallRecord given(Json answers) {
    return copy(isTask, status, message, result, Optional.of(answers));
  }

  private CallRecord copy(
      boolean task, String other, String why, Optional<Json> end, Optional<Json> answers) {
    return new CallRecord(
        id, server, principal, tool, arguments, task, other, why, keep, created, updated, end,
        answers);
  }

  Document document(Instant now) {
    var body = Wire.object().put("tool", tool).put("message", message).put("keep", keep.toMillis());
    body.set("arguments", Wire.tree(arguments));
    result.ifPresent(json -> body.set("result", Wire.tree(json)));
    given.ifPresent(json -> body.set("given", Wire.tree(json)));
    var task = Boolean.toString(isTask);
    return new Document(
        DocumentKind.TOOL_CALL,
        id,
        "",
        server,
        status,
        Optional.of(created.plus(keep)),
        created,
        now,
        Json.of(Map.of("principal", principal, "task", task)),
        Wire.json(body));
  }

  static CallRecord of(Document document) {
    var body = Wire.tree(document.body());
    var about = Wire.tree(document.metadata());
    return new CallRecord(
        document.id(),
        document.label(),
        Wire.text(about, "principal"),
        Wire.text(body, "tool"),
        Wire.json(body.path("arguments")),
        Wire.text(about, "task").equals("true"),
        document.status(),
        Wire.text(body, "message"),
        Duration.ofMillis(body.path("keep").asLong(0)),
        document.created(),
        document.updated(),
        json(body, "result"),
        json(body, "given"));
  }

  private static Optional<Json> json(JsonNode body, String field) {
    var value = body.path(field);
    return value.isMissingNode() ? Optional.empty() : Optional.of(Wire.json(value));
  }

  /// The task as clients of revision 2026-07-28 see it, with its end.
  public ObjectNode modernTask() {
    boolean isBroken = status.equals(FAILED) && !message.isEmpty();
    var json = Wire.object().put("taskId", id);
    // A tool that says that it failed has completed, in the words of the extension.
    json.put("status", status.equals(FAILED) && !isBroken ? COMPLETED : status);
    if (!message.isEmpty()) json.put("statusMessage", message);
    json.put("createdAt", created.toString())
        .put("lastUpdatedAt", updated.toString())
        .put("ttlMs", keep.toMillis())
        .put("pollIntervalMs", POLL_MILLIS);
    if (isBroken) json.putObject("error").put("code", Rpc.INTERNAL).put("message", message);
    else result.ifPresent(end -> json.set("result", Wire.tree(end)));
    return json;
  }

  /// The task as clients see it.
  public ObjectNode task() {
    var json = Wire.object().put("taskId", id).put("status", status);
    if (!message.isEmpty()) json.put("statusMessage", message);
    return json.put("createdAt", created.toString())
        .put("lastUpdatedAt", updated.toString())
        .put("ttl", keep.toMillis())
        .put("pollInterval", POLL_MILLIS);
  }

  /// The mark of messages that belong to a task.
  static ObjectNode related(String task) {
    var meta = Wire.object();
    meta.putObject(RELATED).put("taskId", task);
    return meta;
  }
}
