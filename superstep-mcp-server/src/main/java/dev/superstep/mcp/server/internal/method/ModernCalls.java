package dev.superstep.mcp.server.internal.method;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.call.CallRecord;
import dev.superstep.mcp.server.internal.call.Calls;
import dev.superstep.mcp.server.internal.call.ClientCall;
import dev.superstep.mcp.server.internal.call.QuestionForm;
import dev.superstep.mcp.server.internal.call.RequestStates;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.call.Tasks;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Params;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.internal.protocol.TaskExtension;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.run.Answers;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls of revision 2026-07-28: what a call asks is in its result, its answers are in the next
/// call, and a long one becomes a task by the extension for them. Safe for many threads.
public final class ModernCalls {
  private final ToolMethods tools;
  private final Calls calls;
  private final Tasks tasks;
  private final RequestStates states;

  public ModernCalls(ToolMethods tools, Calls calls, Tasks tasks, RequestStates states) {
    this.tools = tools;
    this.calls = calls;
    this.tasks = tasks;
    this.states = states;
  }

  /// A call of a tool.
  ObjectNode call(JsonNode params, ClientCall by) throws RpcFailure, InterruptedException {
    var given = params.path("arguments");
    if (!given.isObject() && !given.isMissingNode()) {
      throw RpcFailure.params("`arguments` must be an object.");
    }
    var arguments = Wire.json(given.isObject() ? given : Wire.object());
    if (tools.isAnswer(params)) return tools.answered(arguments, by);
    var tool = tools.tool(Params.required(params, "name"), by.principal());
    boolean hasTasks =
        by.session().filter(one -> TaskExtension.isIn(one.capabilities())).isPresent();
    if (tool.tasks() == TaskUse.ALWAYS && !hasTasks) throw TaskExtension.missing();
    var isFirst = state(params).isEmpty();
    var problem = isFirst ? tool.problem(arguments) : Optional.<String>empty();
    if (problem.isPresent()) return ContentJson.error(problem.get());
    boolean isTask = tool.tasks() == TaskUse.ALWAYS || tool.tasks() == TaskUse.POSSIBLE;
    if (isFirst && isTask && hasTasks) {
      return created(tasks.begin(tool, arguments, by.inBackground(), Optional.empty()));
    }
    return ended(tool, params, arguments, by, hasTasks && tool.tasks() == TaskUse.AFTER_ANSWERS);
  }

  /// A call of something that may ask, to its end or to its questions.
  ///
  /// @param becomesTask whether it is a task once its questions are answered
  ObjectNode ended(
      ServedTool tool, JsonNode params, Json arguments, ClientCall by, boolean becomesTask)
      throws RpcFailure, InterruptedException {
    var responses = params.path("inputResponses");
    var state = state(params);
    Calls.End end;
    if (state.isEmpty()) {
      end = calls.call(tool, arguments, by);
      // Answers that a client gives before it is asked count, except for approvals.
      if (end instanceof Calls.End.Waiting(var record, var questions)
          && questions.stream().noneMatch(QuestionForm::isApproval)) {
        var early = answers(tool, questions, named(questions, responses), by);
        if (!early.all().isEmpty()) end = tools.resumed(record, tool, by, early);
      }
    } else {
      var waiting = waiting(state.get(), tool, arguments, by);
      var replies = named(waiting.questions(), responses);
      var answers = answers(tool, waiting.questions(), replies, by);
      if (isRefused(waiting.questions(), responses)) {
        return ToolMethods.waiting(waiting.record(), waiting.questions());
      }
      if (answers.all().isEmpty() && !waiting.questions().isEmpty()) {
        end = new Calls.End.Waiting(waiting.record(), waiting.questions());
      } else if (becomesTask) {
        var now = tasks.answer(waiting.record(), tool, by.inBackground(), answers);
        return created(now.orElse(waiting.record()));
      } else {
        end = tools.resumed(waiting.record(), tool, by, answers);
      }
    }
    return switch (end) {
      case Calls.End.Result(var json) -> json;
      case Calls.End.Waiting(var record, var questions) -> asked(record, questions, by);
      case Calls.End.None _ -> ContentJson.error("The call was cancelled, or goes on elsewhere.");
    };
  }

  // --- Request states ---

  private static Optional<String> state(JsonNode params) {
    var given = params.path("requestState");
    return given.isMissingNode() || given.isNull()
        ? Optional.empty()
        : Optional.of(given.asString(""));
  }

  /// A stored call that waits.
  private record Waiting(CallRecord record, List<QuestionForm> questions) {}

  private Waiting waiting(String given, ServedTool tool, Json arguments, ClientCall by)
      throws RpcFailure {
    var state = states.read(given, by.principal(), tool.name(), arguments);
    var record =
        calls
            .store()
            .find(state.call(), by.principal())
            .filter(found -> found.status().equals(CallRecord.WAITING))
            .orElseThrow(() -> RpcFailure.params("The call of this request state has ended."));
    var questions = calls.questions(record, tool);
    if (!questions.isEmpty() && !state.isFor(questions)) {
      throw RpcFailure.params("The request state is of earlier questions of this call.");
    }
    return new Waiting(record, questions);
  }

  // --- Answers ---

  /// The replies in the next call, by their questions.
  private static Function<QuestionForm, JsonNode> named(
      List<QuestionForm> questions, JsonNode responses) {
    return form -> responses.path(form.key(questions));
  }

  /// The answers that fit, of those that were given to questions that this client is asked.
  private static Answers answers(
      ServedTool tool,
      List<QuestionForm> questions,
      Function<QuestionForm, JsonNode> replies,
      ClientCall by) {
    var answers = Answers.none();
    for (var form : questions) {
      if (by.session().filter(client -> client.canAnswer(form)).isEmpty()) continue;
      var found = form.answer(replies.apply(form), tool);
      if (found.isPresent()) {
        answers = answers.and(Answers.json(form.asked().id(), found.get()));
      }
    }
    return answers;
  }

  /// Returns whether the user turned a question down for which no is no answer.
  private static boolean isRefused(List<QuestionForm> questions, JsonNode responses) {
    for (var form : questions) {
      var action = Wire.text(responses.path(form.key(questions)), "action");
      if (action.equals("cancel")) return true;
      if (action.equals("decline") && form.declined().isEmpty()) return true;
    }
    return false;
  }

  /// Asks in the result what the client can answer.
  private ObjectNode asked(CallRecord record, List<QuestionForm> questions, ClientCall by)
      throws RpcFailure {
    var requests = requests(questions, form -> form.key(questions), by);
    if (requests.isEmpty()) {
      var missing = missing(questions);
      if (missing.isEmpty()) return ToolMethods.waiting(record, questions);
      var _ = calls.cancel(record);
      calls.store().delete(record.id());
      throw TaskExtension.missing(missing, "The call needs abilities that the client lacks.");
    }
    var json = Wire.object().put("resultType", "input_required");
    json.set("inputRequests", requests);
    return json.put("requestState", states.write(record, questions));
  }

  private static ObjectNode missing(List<QuestionForm> questions) {
    var missing = Wire.object();
    for (var form : questions) {
      form.request().ifPresent(request -> missing.putObject(request.capability()));
    }
    return missing;
  }

  /// The requests for these questions that the client can answer.
  ///
  /// @param key the name of a question
  private static ObjectNode requests(
      List<QuestionForm> questions, Function<QuestionForm, String> key, ClientCall by) {
    var requests = Wire.object();
    for (var form : questions) {
      if (by.session().filter(client -> client.canAnswer(form)).isPresent()) {
        requests.set(key.apply(form), form.input());
      }
    }
    return requests;
  }

  // --- Tasks ---

  private static ObjectNode created(CallRecord record) {
    return record.modernTask().put("resultType", "task");
  }

  /// A method for tasks.
  ObjectNode task(String method, JsonNode params, ClientCall by)
      throws RpcFailure, InterruptedException {
    if (by.session().filter(one -> TaskExtension.isIn(one.capabilities())).isEmpty()) {
      throw TaskExtension.missing();
    }
    var id = Params.required(params, "taskId");
    return switch (method) {
      case "tasks/get" -> detailed(tasks.look(id, by.principal()), by);
      case "tasks/update" -> updated(tasks.look(id, by.principal()), params, by);
      default -> {
        var record = tasks.look(id, by.principal());
        if (!record.hasEnded()) {
          var _ = calls.cancel(record);
        }
        yield Wire.object();
      }
    };
  }

  private ObjectNode detailed(CallRecord record, ClientCall by) throws RpcFailure {
    var json = record.modernTask();
    if (record.status().equals(CallRecord.WAITING)) {
      var tool = tools.stored(record.tool());
      if (tool.isEmpty()) return json;
      var questions = calls.questions(record, tool.get());
      if (questions.isEmpty()) {
        // The thread was rewound: it goes on, and asks again.
        var now = tasks.answer(record, tool.get(), by.inBackground(), Answers.none());
        return now.orElse(record).modernTask();
      }
      var open = tasks.unanswered(record, questions);
      json.set("inputRequests", requests(open, QuestionForm::taskKey, by));
    }
    return json;
  }

  private ObjectNode updated(CallRecord record, JsonNode params, ClientCall by) throws RpcFailure {
    var responses = params.path("inputResponses");
    if (!responses.isObject()) throw RpcFailure.params("`inputResponses` must be an object.");
    if (record.status().equals(CallRecord.WAITING)) {
      // What was allowed when it began need not be now.
      var tool = tools.called(record, by.principal());
      var questions = calls.questions(record, tool);
      for (var form : tasks.unanswered(record, questions)) {
        var problem = form.misfit(responses.path(form.taskKey()), tool);
        if (problem.isPresent()) {
          throw RpcFailure.params(
              "The answer to `%s` does not fit: %s".formatted(form.taskKey(), problem.get()));
        }
      }
      Function<QuestionForm, JsonNode> replies = form -> responses.path(form.taskKey());
      tasks.give(record, tool, by.inBackground(), answers(tool, questions, replies, by));
    }
    return Wire.object();
  }
}
