package dev.superstep.mcp;

import dev.superstep.mcp.internal.session.ServerRequests;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers what a server asks of us: for roots, for people, for a model. What was not granted does
/// not exist.
final class ServerAnswers implements ServerRequests {
  private static final String RELATED = "io.modelcontextprotocol/related-task";

  private final McpServer server;
  private final Runnable onToolsChanged;
  private final AtomicReference<@Nullable PreparedAnswers> prepared = new AtomicReference<>();

  private final TaskQuestions tasks;

  ServerAnswers(McpServer server, TaskQuestions tasks, Runnable onToolsChanged) {
    this.server = server;
    this.tasks = tasks;
    this.onToolsChanged = onToolsChanged;
  }

  /// The capabilities that a server is told.
  ObjectNode capabilities() {
    var all = Wire.object();
    if (!server.roots().isEmpty()) all.putObject("roots");
    if (server.sampler() != null) all.putObject("sampling");
    if (server.isAsking() || server.answerer() != null) {
      var kinds = all.putObject("elicitation");
      kinds.putObject("form");
      kinds.putObject("url");
    }
    return all;
  }

  /// Sets the answers for the call that is made now; null for none.
  void prepare(@Nullable PreparedAnswers answers) {
    prepared.set(answers);
  }

  @Override
  public JsonNode answer(String method, JsonNode params) throws Rejected, InterruptedException {
    return answer(method, params, prepared.get());
  }

  /// Answers a request by the answers to one call; null for none.
  JsonNode answer(String method, JsonNode params, @Nullable PreparedAnswers given)
      throws Rejected, InterruptedException {
    return switch (method) {
      case "roots/list" -> roots();
      case "elicitation/create" -> elicited(params, given);
      case "sampling/createMessage" -> sampled(params);
      default -> throw unknown(method);
    };
  }

  private static Rejected unknown(String method) {
    return new Rejected(METHOD_NOT_FOUND, "no method " + Wire.cut(method, 100));
  }

  private JsonNode roots() throws Rejected {
    if (server.roots().isEmpty()) throw unknown("roots/list");
    var result = Wire.object();
    var list = result.putArray("roots");
    for (var root : server.roots()) {
      var name = root.getFileName();
      var one = list.addObject().put("uri", root.toUri().toString());
      if (name != null) one.put("name", name.toString());
    }
    return result;
  }

  private JsonNode elicited(JsonNode params, @Nullable PreparedAnswers answers)
      throws Rejected, InterruptedException {
    var live = server.answerer();
    if (!server.isAsking() && live == null) throw unknown("elicitation/create");
    var asked = McpElicitation.read(server.name(), params);
    var task = Wire.text(params.path("_meta").path(RELATED), "taskId");
    if (tasks.isOpen(task)) return asked.reply(tasks.answer(task, asked));
    if (answers != null) return asked.reply(answers.answer(asked));
    if (live == null) return asked.reply(McpAnswer.cancel());
    var answer = live.answer(asked);
    var problems = asked.problems(answer);
    if (!problems.isEmpty()) {
      throw new Rejected(INTERNAL, "the answer does not fit: " + problems.getFirst());
    }
    return asked.reply(answer);
  }

  private JsonNode sampled(JsonNode params) throws Rejected, InterruptedException {
    var sampler = server.sampler();
    if (sampler == null) throw unknown("sampling/createMessage");
    try {
      return Wire.tree(sampler.answer(server.name(), Wire.json(params)));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new Rejected(INTERNAL, "the model was not asked: " + e.getClass().getSimpleName());
    }
  }

  @Override
  public void onNotification(String method, JsonNode params) {
    if (method.equals("notifications/tools/list_changed")) onToolsChanged.run();
  }
}
