package dev.superstep.agui;

import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.graph.ServedGraph;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Begins the run of an input: new messages for a thread at rest, answers for one that asks. For
/// one request.
final class RunStart {
  /// The name in the metadata of a run under which it is found again by the client's id.
  static final String RUN_ID = "agui_run";

  private static final int RUN_PAGE = 1;
  private static final String MESSAGES = "messages";

  private final ServerApi api;
  private final ServedGraph graph;
  private final Set<String> shared;

  RunStart(ServerApi api, ServedGraph graph, Set<String> shared) {
    this.api = api;
    this.graph = graph;
    this.shared = shared;
  }

  /// A run that has begun. Immutable.
  ///
  /// @param run its id on the server
  /// @param since the place of the last event of the thread before it; -1 if that is not known
  /// @param answered the ids of tool calls of the front end that this input answers
  /// @param warnings for the client, about what did not count
  record Started(
      String thread, String run, long since, Set<String> answered, List<String> warnings) {}

  Started start(RunInput input) throws InterruptedException {
    var known = known(input);
    if (!known.isEmpty()) return new Started(input.thread(), known, -1, results(input), List.of());
    var state = state(input.thread());
    var open = open(state);
    var warnings = new ArrayList<String>();
    for (var id : input.resume().keySet()) {
      if (!open.containsKey(id)) warnings.add("resume answers " + id + ", which is not open");
    }
    var values = state.path("values");
    var made = open.isEmpty() ? begun(input, values) : answered(input, values, open);
    return new Started(
        input.thread(),
        made.path("result").path("run_id").asString(""),
        made.path("meta").path("applied_through_seq").asLong(-1),
        results(input),
        List.copyOf(warnings));
  }

  /// The run that this input has begun before; empty if it has begun none.
  private String known(RunInput input) throws InterruptedException {
    var query = Trees.object().put("thread_id", input.thread()).put("limit", RUN_PAGE);
    query.putObject("metadata").put(RUN_ID, input.run());
    var found = Trees.of(api.send("POST", "/runs/search", Trees.json(query)));
    return found.path(0).path("run_id").asString("");
  }

  /// The state of the thread; an empty object if there is none, or it has no graph yet.
  private JsonNode state(String thread) throws InterruptedException {
    try {
      return Trees.of(api.send("GET", path(thread) + "/state", Json.ofNull()));
    } catch (RequestRefused none) {
      if (none.status() == 404 || none.status() == 400) return Trees.object();
      throw none;
    }
  }

  static String path(String thread) {
    return "/threads/" + URLEncoder.encode(thread, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, JsonNode> open(JsonNode state) {
    var open = new LinkedHashMap<String, JsonNode>();
    for (var task : state.path("tasks")) {
      for (var asked : task.path("interrupts")) {
        open.put(asked.path("id").asString(""), asked.path("value"));
      }
    }
    return open;
  }

  private static Set<String> results(RunInput input) {
    var all = new LinkedHashSet<String>();
    for (var message : input.messages()) {
      if (isTool(message)) all.add(message.path("toolCallId").asString(""));
    }
    return all;
  }

  private static boolean isTool(JsonNode message) {
    return message.path("role").asString("").equals("tool");
  }

  // --- A thread at rest ---

  private JsonNode begun(RunInput input, JsonNode values) throws InterruptedException {
    var params = params(input);
    params.put("assistant_id", graph.id()).put("multitask_strategy", "reject");
    var given = params.putObject("input");
    var conversation = conversation();
    if (!conversation.isEmpty()) {
      var messages = ClientMessages.added(input.messages(), values.path(conversation));
      given.set(conversation, messages);
    }
    given.setAll(written(input, values));
    var field = textField();
    if (given.isEmpty() && !field.isEmpty()) {
      given.put(field, ClientMessages.lastOfUser(input.messages()));
    }
    return command(input, "run.start", params);
  }

  /// The name under which the input has messages; empty if it has none.
  private String conversation() {
    var name = graph.conversation().orElse("");
    if (graph.input().isEmpty()) return name;
    // An input of another form takes messages by this name.
    boolean hasMessages = graph.schema().isEmpty() || properties().has(MESSAGES);
    return hasMessages ? (name.isEmpty() ? MESSAGES : name) : "";
  }

  private JsonNode properties() {
    return graph.schema().map(Trees::of).orElseGet(Trees::object).path("properties");
  }

  /// The only field of the input, if it is a text; empty otherwise.
  private String textField() {
    if (properties().size() != 1) return "";
    var only = properties().properties().iterator().next();
    return only.getValue().path("type").asString("").equals("string") ? only.getKey() : "";
  }

  private ObjectNode params(RunInput input) {
    var params = Trees.object();
    params.putObject("metadata").put(RUN_ID, input.run());
    var context = params.putObject("context").putObject(FrontEnd.CONTEXT);
    var tools = context.putArray("tools");
    input.tools().forEach(tools::add);
    var entries = context.putArray("context");
    input.context().forEach(entries::add);
    if (!Trees.isNone(input.forwarded())) context.set("forwardedProps", input.forwarded());
    return params;
  }

  /// The channels that the client may write, where it has another value.
  private ObjectNode written(RunInput input, JsonNode values) {
    var all = Trees.object();
    for (var name : shared) {
      var value = input.state().path(name);
      if (!value.isMissingNode() && !value.equals(values.path(name))) all.set(name, value);
    }
    return all;
  }

  // --- A thread that asks ---

  private JsonNode answered(RunInput input, JsonNode values, Map<String, JsonNode> open)
      throws InterruptedException {
    var params = params(input).put("strict_resume", true);
    var responses = params.putArray("responses");
    var missing = new ArrayList<String>();
    for (var asked : open.entrySet()) {
      var answer = answer(input, asked.getKey(), asked.getValue());
      if (answer.isMissingNode()) {
        missing.add(asked.getKey());
        continue;
      }
      responses.addObject().put("interrupt_id", asked.getKey()).set("response", answer);
    }
    if (!missing.isEmpty()) {
      throw new RequestRefused(
          422,
          "Thread %s waits for answers, and the input has none for %s. Answer interrupts by `resume`,"
                  .formatted(input.thread(), missing)
              + " and tool calls of the front end by tool messages.");
    }
    if (ClientMessages.hasNewText(input.messages(), values.path(conversation()))) {
      throw new RequestRefused(
          422, "The input answers what the thread asks; send new messages with the next run.");
    }
    var update = written(input, values);
    if (!update.isEmpty()) params.set("update", update);
    return command(input, "input.respond", params);
  }

  private static JsonNode answer(RunInput input, String id, JsonNode asked) {
    var call = FrontEnd.callId(asked);
    if (call.isEmpty()) {
      var entry = input.resume().get(id);
      return entry == null
          ? JsonNodeFactory.instance.missingNode()
          : Interrupts.answer(id, asked, entry);
    }
    for (var message : input.messages()) {
      if (!isTool(message) || !message.path("toolCallId").asString("").equals(call)) continue;
      var answer = Trees.object().put("content", ClientMessages.text(message.path("content")));
      return answer.put("error", message.path("error").asString(""));
    }
    return JsonNodeFactory.instance.missingNode();
  }

  private JsonNode command(RunInput input, String method, ObjectNode params)
      throws InterruptedException {
    var command = Trees.object().put("id", 1).put("method", method);
    command.set("params", params);
    var reply = Trees.of(api.send("POST", path(input.thread()) + "/commands", Trees.json(command)));
    if (reply.path("type").asString("").equals("success")) return reply;
    int status =
        switch (reply.path("error").asString("")) {
          case "permission_denied" -> 403;
          case "no_such_run" -> 404;
          case "no_such_interrupt" -> 409;
          case "not_supported" -> 501;
          default -> 422;
        };
    throw new RequestRefused(status, reply.path("message").asString("The run was refused."));
  }
}
