package dev.superstep.mcp.server.internal.method;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.call.CallRecord;
import dev.superstep.mcp.server.internal.call.Calls;
import dev.superstep.mcp.server.internal.call.ClientCall;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.call.QuestionForm;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.call.Tasks;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Params;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.message.Content;
import dev.superstep.run.Answers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The methods for tools and tasks. Safe for many threads.
public final class ToolMethods {
  public static final String ANSWER = "answer_call";

  private static final ObjectNode ANSWER_TOOL =
      (ObjectNode)
          Wire.tree(
              Json.parse(
                  """
                  {"name": "answer_call",
                   "description": "Gives the answers that an earlier call waits for, and returns \
                  the result of that call. Ask the user for them; do not make them up.",
                   "inputSchema": {"type": "object", "required": ["call", "answers"],
                     "properties": {
                       "call": {"type": "string", "description": "The id of the call."},
                       "answers": {"type": "object", "description":
                         "By the id of each question, an object that fits its schema."}}}}
                  """));

  private final Supplier<Offer> offer;
  private final Calls calls;
  private final Tasks tasks;
  private final McpHostLimits limits;
  private final BiPredicate<String, String> allowed;
  private final boolean approvalsByTool;

  /// The rules for clients.
  ///
  /// @param allowed whether a principal may see and call a tool
  /// @param approvalsByTool whether the tool for answers takes approvals
  public record Access(BiPredicate<String, String> allowed, boolean approvalsByTool) {}

  public ToolMethods(
      Supplier<Offer> offer, Calls calls, Tasks tasks, McpHostLimits limits, Access access) {
    this.offer = offer;
    this.calls = calls;
    this.tasks = tasks;
    this.limits = limits;
    this.allowed = access.allowed();
    this.approvalsByTool = access.approvalsByTool();
  }

  ObjectNode list(JsonNode params, String principal) throws RpcFailure {
    var all = new ArrayList<ObjectNode>();
    boolean mayAsk = false;
    for (var tool : offer.get().tools().values()) {
      if (!allowed.test(principal, tool.name())) continue;
      all.add(tool.listed());
      mayAsk |= tool.mayAsk();
    }
    if (mayAsk) all.add(ANSWER_TOOL.deepCopy());
    return Params.page("tools", all, limits.page(), params, one -> one);
  }

  ObjectNode call(JsonNode params, ClientSession session, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var name = Params.required(params, "name");
    var given = params.path("arguments");
    if (!given.isObject() && !given.isMissingNode() && !given.isNull()) {
      throw RpcFailure.params("`arguments` must be an object.");
    }
    var arguments = Wire.json(given.isObject() ? given : Wire.object());
    var token = Params.progressToken(params);
    var by = caller(session, outlet, token);
    if (isAnswer(params)) return answer(arguments, by);
    var tool = tool(name, session.principal());
    var problem = tool.problem(arguments);
    if (problem.isPresent()) return ContentJson.error(problem.get());
    if (params.path("task").isObject()) {
      if (tool.tasks() == TaskUse.NEVER) {
        throw new RpcFailure(Rpc.NO_METHOD, "The tool `" + name + "` does not run as a task.");
      }
      var background = caller(session, session.outlet(), token);
      var json = Wire.object();
      json.set("task", tasks.begin(tool, arguments, background, keep(params.path("task"))).task());
      return json;
    }
    if (tool.tasks() == TaskUse.ALWAYS && session.revision().equals(Revision.TASKS)) {
      throw new RpcFailure(Rpc.NO_METHOD, "The tool `" + name + "` runs only as a task.");
    }
    return ended(calls.call(tool, arguments, by), tool, by);
  }

  /// A call of something that asks, to its end.
  ObjectNode ended(
      ServedTool tool, Json arguments, ClientSession session, Outlet outlet, JsonNode params)
      throws RpcFailure, InterruptedException {
    var by = caller(session, outlet, Params.progressToken(params));
    return ended(calls.call(tool, arguments, by), tool, by);
  }

  /// The arguments of a tool that its callers repeat in headers.
  Map<String, String> headers(String tool) {
    return offer.get().tool(tool).map(ServedTool::headers).orElse(Map.of());
  }

  /// The target of a stored call.
  Optional<ServedTool> stored(String name) {
    return offer.get().stored(name);
  }

  /// Returns whether a call is one of the tool for answers.
  boolean isAnswer(JsonNode params) {
    return Wire.text(params, "name").equals(ANSWER) && offer.get().mayAsk();
  }

  /// Answers by the tool for them.
  ObjectNode answered(Json arguments, ClientCall by) throws RpcFailure, InterruptedException {
    return answer(arguments, by);
  }

  /// The tool of this name, if the principal may call it.
  ServedTool tool(String name, String principal) throws RpcFailure {
    return offer
        .get()
        .tool(name)
        .filter(_ -> allowed.test(principal, name))
        .orElseThrow(() -> RpcFailure.params("There is no tool of this name."));
  }

  private ClientCall caller(ClientSession session, Outlet outlet, @Nullable JsonNode token) {
    return new ClientCall(session, session.principal(), outlet, token, limits.notifications());
  }

  private static Optional<Duration> keep(JsonNode task) throws RpcFailure {
    var ttl = task.path("ttl");
    if (ttl.isMissingNode() || ttl.isNull()) return Optional.empty();
    if (!ttl.isIntegralNumber() || ttl.asLong(0) <= 0) {
      throw RpcFailure.params("`task.ttl` must be a positive number of milliseconds.");
    }
    return Optional.of(Duration.ofMillis(ttl.asLong(1)));
  }

  /// Asks the user of the client as long as the call waits, if the client can do that.
  private ObjectNode ended(Calls.End first, ServedTool tool, ClientCall by)
      throws InterruptedException {
    var end = first;
    while (end instanceof Calls.End.Waiting(var record, var questions)) {
      var session = by.session().orElseThrow();
      if (session.isStateless()) return waiting(record, questions);
      var answers = session.elicit(questions, tool, by.outlet(), Optional.empty());
      if (answers.isEmpty()) return waiting(record, questions);
      end = resumed(record, tool, by, answers.get());
    }
    return switch (end) {
      case Calls.End.Result(var json) -> json;
      case Calls.End.None _ -> ContentJson.error("The call was cancelled, or goes on elsewhere.");
      case Calls.End.Waiting _ -> throw new IllegalStateException("it was asked about");
    };
  }

  Calls.End resumed(CallRecord record, ServedTool tool, ClientCall by, Answers answers)
      throws InterruptedException {
    return calls.resume(record, tool, by, answers);
  }

  /// The result of a call that nobody can answer now: it stays, and can be answered later.
  static ObjectNode waiting(CallRecord record, List<QuestionForm> questions) {
    var value = Wire.object().put("call", record.id());
    var list = value.putArray("questions");
    for (var one : questions) list.add(one.shown());
    var json =
        ContentJson.error(
            "The call waits for answers, and is saved. Ask the user, and give the answers by the"
                + " tool `"
                + ANSWER
                + "`:\n"
                + Wire.write(value));
    json.set("structuredContent", value);
    return json;
  }

  // --- Answers ---

  private ObjectNode answer(Json arguments, ClientCall by) throws RpcFailure, InterruptedException {
    var given = Wire.tree(arguments);
    var id = Params.required(given, "call");
    var found = calls.store().find(id, by.principal());
    if (found.isEmpty()) return ContentJson.error("There is no call `" + cut(id) + "` that waits.");
    var record = found.get();
    var tool = called(record, by.principal());
    if (record.result().isPresent() && !record.isTask()) {
      return (ObjectNode) Wire.tree(record.result().get());
    }
    if (!record.status().equals(CallRecord.WAITING)) {
      return ContentJson.error(
          "The call `" + id + "` does not wait; it is " + record.status() + ".");
    }
    var answers = Answers.none();
    var questions = calls.questions(record, tool);
    if (isForUser(questions, by)) return askedAgain(record, tool, questions, by);
    boolean isRefused = !approvalsByTool && !questions.isEmpty();
    if (isRefused && questions.stream().allMatch(QuestionForm::isApproval)) {
      return refusedApproval(questions);
    }
    for (var form : questions) {
      if (form.isApproval() && !approvalsByTool) continue;
      var values = given.path("answers").path(form.asked().id());
      if (!values.isObject()) {
        if (questions.size() > 1) continue;
        values = given.path("answers");
      }
      var problem = form.problem(values.isObject() ? values : Wire.object(), tool);
      if (problem.isPresent()) {
        return ContentJson.error(
            "The answer to `" + form.asked().id() + "` does not fit: " + problem.get());
      }
      answers = answers.and(Answers.json(form.asked().id(), form.read(values)));
    }
    // Of a thread that was rewound nothing is asked any more: it goes on, and asks again.
    if (answers.all().isEmpty() && !questions.isEmpty()) return waiting(record, questions);
    if (record.isTask()) {
      var _ = tasks.answer(record, tool, by, answers);
      var json = Wire.object();
      json.set("content", ContentJson.parts(Content.of("The task goes on.")));
      return json;
    }
    return ended(resumed(record, tool, by, answers), tool, by);
  }

  /// The target of a call: a tool that the principal may still call, or the hidden one of a prompt.
  ServedTool called(CallRecord record, String principal) throws RpcFailure {
    var hidden =
        offer.get().tool(record.tool()).isEmpty()
            ? stored(record.tool())
            : Optional.<ServedTool>empty();
    return hidden.isPresent() ? hidden.get() : tool(record.tool(), principal);
  }

  /// A model must not approve what it wants itself.
  private static ObjectNode refusedApproval(List<QuestionForm> questions) {
    return ContentJson.error(
        ("A person must approve this, and the tool `%s` takes no approvals: %s. Use a client that"
                + " shows forms, or have the operator of the server decide.")
            .formatted(ANSWER, cut(questions.getFirst().message())));
  }

  /// Returns whether the client can show its user an approval, which its model must not give then.
  private static boolean isForUser(List<QuestionForm> questions, ClientCall by) {
    return questions.stream()
        .filter(QuestionForm::isApproval)
        .anyMatch(form -> by.session().filter(client -> client.canAnswer(form)).isPresent());
  }

  private ObjectNode askedAgain(
      CallRecord record, ServedTool tool, List<QuestionForm> questions, ClientCall by)
      throws InterruptedException {
    if (record.isTask()) {
      return ContentJson.error("The user decides on this: `tasks/result` asks them in a form.");
    }
    if (by.session().orElseThrow().isStateless()) {
      return ContentJson.error(
          "The user decides on this in a form. Call `%s` again, with the request state if you have it."
              .formatted(tool.name()));
    }
    return ended(new Calls.End.Waiting(record, questions), tool, by);
  }

  private static String cut(String text) {
    return Wire.whole(text.length() <= 80 ? text : text.substring(0, 80)).replaceAll("\\p{C}", "?");
  }

  // --- Tasks ---

  ObjectNode task(String method, JsonNode params, ClientSession session, Outlet outlet)
      throws RpcFailure, InterruptedException {
    if (method.equals("tasks/list")) return tasks(params, session);
    var id = Params.required(params, "taskId");
    return switch (method) {
      case "tasks/get" -> tasks.get(id, session.principal());
      case "tasks/cancel" -> tasks.cancel(id, session.principal());
      default -> tasks.result(id, caller(session, outlet, Params.progressToken(params)));
    };
  }

  private ObjectNode tasks(JsonNode params, ClientSession session) throws RpcFailure {
    if (Protocol.isUnknown(session.principal())) {
      throw new RpcFailure(
          Rpc.NO_METHOD, "Tasks are listed only to clients that show who they are.");
    }
    int from = Params.offset(params);
    var found = tasks.list(session.principal(), from);
    var json = Wire.object();
    var list = json.putArray("tasks");
    found.stream().limit(limits.page()).forEach(one -> list.add(one.task()));
    if (found.size() > limits.page()) json.put("nextCursor", Params.cursor(from + limits.page()));
    return json;
  }
}
