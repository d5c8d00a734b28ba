package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    Optional<Json> result) {
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

  public CallRecord in(String other, String why) {
    return new CallRecord(
        id, server, principal, tool, arguments, isTask, other, why, keep, created, updated, result);
  }

  CallRecord with(Json end) {
    return new CallRecord(
        id,
        server,
        principal,
        tool,
        arguments,
        isTask,
        status,
        message,
        keep,
        created,
        updated,
        Optional.of(end));
  }

  Document document(Instant now) {
    var body = Wire.object().put("tool", tool).put("message", message).put("keep", keep.toMillis());
    body.set("arguments", Wire.tree(arguments));
    result.ifPresent(json -> body.set("result", Wire.tree(json)));
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
    var result = body.path("result");
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
        result.isMissingNode() ? Optional.empty() : Optional.of(Wire.json(result)));
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
