package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.question.InputRounds;
import dev.superstep.mcp.internal.session.ServerRequests;
import dev.superstep.mcp.internal.session.ServerSessions;
import dev.superstep.mcp.internal.task.TaskHandle;
import dev.superstep.mcp.internal.tool.ParamHeaders;
import dev.superstep.mcp.internal.tool.ResultContent;
import dev.superstep.mcp.internal.tool.SchemaCheck;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;
import dev.superstep.schema.JsonSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls tools of a server over its sessions. Safe for many threads.
final class ToolCaller {
  private static final int URL_REQUIRED = -32042;
  private static final int HEADER_MISMATCH = -32020;

  private final String server;
  private final ServerSessions sessions;
  private final ServerAnswers answers;
  private final ResultContent content;
  private final Known known;
  private final TaskFollower follower;
  private final Mutex asking = new Mutex();

  /// A call of a tool.
  ///
  /// @param most it may take
  /// @param rest by which an earlier attempt goes on
  record Call(String tool, Json arguments, Duration most, Optional<Json> rest) {
    /// With another limit of time.
    Call within(Duration time) {
      return new Call(tool, arguments, time, rest);
    }
  }

  /// The facts about tools that matter for calls.
  interface Known {
    /// The schema of the structured results of a tool, if it has one.
    Optional<Json> promised(String tool);

    /// The arguments of a tool that are repeated in headers.
    ParamHeaders headers(String tool) throws InterruptedException;

    /// Reads the tools again.
    ///
    /// @return whether the tool may be called as it is now without asking anybody
    boolean isSameAgain(String tool) throws InterruptedException;

    /// The time that the task of a call is kept; null if it is no task.
    @Nullable Duration task(String tool) throws InterruptedException;
  }

  ToolCaller(
      String server,
      ServerSessions sessions,
      ServerAnswers answers,
      ResultContent content,
      TaskFollower follower,
      Known known) {
    this.server = server;
    this.sessions = sessions;
    this.answers = answers;
    this.content = content;
    this.follower = follower;
    this.known = known;
  }

  /// Calls a tool.
  ///
  /// @param prepared answers to what the server may ask; null for none
  CallOutcome call(Call call, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    try {
      var params = Wire.object();
      params.put("name", call.tool());
      params.set("arguments", Wire.tree(call.arguments()));
      var keep = known.task(call.tool());
      if (keep != null && !sessions.isStateless()) {
        params.putObject("task").put("ttl", keep.toMillis());
      }
      call.rest().ifPresent(rest -> params.setAll((ObjectNode) Wire.tree(rest)));
      if (prepared == null) return made(call, params, progress, null);
      return asking(call, params, progress, prepared);
    } catch (RequestFailed e) {
      throw McpFailed.of(server, e);
    }
  }

  private CallOutcome asking(
      Call call, ObjectNode params, Consumer<String> progress, PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    // What the server asks does not say for which call: there is one at a time.
    try (var _ = asking.holdInterruptibly()) {
      answers.prepare(prepared);
      try {
        var outcome = made(call, params, progress, prepared);
        if (outcome.asked().isPresent()) return outcome;
        return prepared.open().map(CallOutcome::asked).orElse(outcome);
      } catch (RequestFailed e) {
        return asked(e, prepared);
      } finally {
        answers.prepare(null);
      }
    }
  }

  private CallOutcome asked(RequestFailed e, PreparedAnswers prepared) throws RequestFailed {
    if (!(e.why() instanceof RequestFailed.Refused refused)) throw e;
    if (prepared.open().isPresent()) return CallOutcome.asked(prepared.open().get());
    if (refused.error() != URL_REQUIRED) throw e;
    return CallOutcome.asked(required(e, refused.data(), prepared));
  }

  /// The page that a person has to visit before the call can be made.
  private McpElicitation required(RequestFailed why, String told, PreparedAnswers prepared)
      throws RequestFailed {
    var data = told.isEmpty() ? Wire.object() : Wire.tree(Json.parse(told));
    for (var one : data.path("elicitations")) {
      try {
        var asked = McpElicitation.read(server, one);
        if (prepared.answer(asked).action() == McpAnswer.Action.CANCEL) return asked;
      } catch (ServerRequests.Rejected e) {
        why.addSuppressed(e);
      }
    }
    throw why;
  }

  private CallOutcome made(
      Call call, ObjectNode params, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    var tool = call.tool();
    var rounds = new InputRounds(answers, () -> prepared != null && prepared.open().isPresent());
    for (int i = 0; i < InputRounds.MAX; i++) {
      var result = sent(call, params, progress);
      var type = Wire.text(result, "resultType");
      if (type.equals("task") || (params.has("task") && result.path("task").isObject())) {
        return begun(type.equals("task") ? result : result.path("task"), tool);
      }
      if (!type.equals("input_required")) return outcome(tool, result);
      var waiting = rounds.next(result, params);
      if (waiting.isPresent() && prepared != null) {
        return CallOutcome.asked(prepared.open().orElseThrow(), waiting.get().rest());
      }
    }
    throw new RequestFailed(
        new RequestFailed.Misbehaved(
            "asked in more than %d results of one call.".formatted(InputRounds.MAX)));
  }

  /// Sends a call, and once more if the server wants other arguments in headers than it told.
  private JsonNode sent(Call call, ObjectNode params, Consumer<String> progress)
      throws InterruptedException, RequestFailed {
    try {
      return once(call, params, progress);
    } catch (RequestFailed e) {
      boolean isMismatch =
          e.why() instanceof RequestFailed.Refused refused && refused.error() == HEADER_MISMATCH;
      if (!isMismatch || !sessions.isStateless() || !known.isSameAgain(call.tool())) throw e;
      return once(call, params, progress);
    }
  }

  private JsonNode once(Call call, ObjectNode params, Consumer<String> progress)
      throws InterruptedException, RequestFailed {
    var headers = known.headers(call.tool()).of(params.path("arguments"), call.tool());
    var session = sessions.session();
    return session.request("tools/call", params.deepCopy(), call.most(), progress, headers);
  }

  private CallOutcome begun(JsonNode told, String tool) throws InterruptedException, RequestFailed {
    if (known.task(tool) == null) {
      throw new RequestFailed(
          new RequestFailed.Misbehaved("made a task of a call that asked for none."));
    }
    return CallOutcome.of(TaskHandle.created(told));
  }

  /// Follows the task of a call, for the time of the call, until its end or its next question.
  CallOutcome follow(
      TaskHandle task, Call call, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    try {
      var end = follower.follow(task, call.most(), progress, prepared);
      if (end.result().isPresent()) return outcome(call.tool(), end.result().get());
      var asked = Objects.requireNonNull(prepared).open().orElseThrow();
      return CallOutcome.asked(asked, Optional.of(end.task().json()));
    } catch (RequestFailed e) {
      if (!(e.why() instanceof RequestFailed.TaskLost)) follower.cancel(task);
      throw McpFailed.of(server, e);
    }
  }

  /// Asks for the end of a task.
  void cancel(TaskHandle task) throws InterruptedException {
    follower.cancel(task);
  }

  private CallOutcome outcome(String tool, JsonNode result) {
    var parts = new ArrayList<>(content.parts(result.path("content")));
    var structured = result.path("structuredContent");
    if (!structured.isObject()) {
      return outcome(parts, result, Optional.empty());
    }
    var value = Wire.json(structured);
    if (parts.isEmpty()) parts.add(new Content.Data(value));
    if (isPromised(tool, value)) return outcome(parts, result, Optional.of(value));
    parts.add(new Content.Text("[the structured result breaks the schema that the server gave]"));
    return outcome(parts, result, Optional.empty());
  }

  private static CallOutcome outcome(
      List<Content> parts, JsonNode result, Optional<Json> artifact) {
    boolean isError = result.path("isError").asBoolean(false);
    return new CallOutcome(Optional.empty(), parts, isError, artifact, Optional.empty());
  }

  private boolean isPromised(String tool, Json value) {
    var output = known.promised(tool);
    if (output.isEmpty()) return true;
    var schema = Wire.tree(output.get());
    if (SchemaCheck.problem(schema).isPresent()) return false;
    try {
      var safe = Wire.json(SchemaCheck.withoutPatterns(schema));
      return JsonSchema.parse(safe).check(value).isEmpty();
    } catch (SuperstepException _) {
      return false;
    }
  }
}
