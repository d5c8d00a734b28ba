package dev.superstep.repl.internal.call;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import dev.superstep.middleware.AgentContext;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Fences;
import dev.superstep.model.ResponseFormat;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The functions that ask models, each call through the middleware of the grants and the budget of
/// the agent.
final class ModelFunctions {
  private static final String PARAMETERS = "model=, *, system=, schema=, max_tokens=)";
  private static final Set<String> KNOWN =
      Set.of("prompt", "messages", "model", "system", "schema", "max_tokens");
  private static final int TOKENS_MAX = 1 << 20;

  private final SessionAccess access;
  private final CallSession session;

  ModelFunctions(SessionAccess access, CallSession session) {
    this.access = access;
    this.session = session;
  }

  List<HostFunction> functions() {
    var all = new ArrayList<HostFunction>();
    for (var name : List.of("llm_query", "model_query", "llm")) {
      all.add(HostFunction.of(name + "(prompt, " + PARAMETERS, a -> query(name, a)));
    }
    for (var name : List.of("llm_batch", "llm_query_batched", "model_query_batched")) {
      all.add(HostFunction.of(name + "(prompts, " + PARAMETERS, a -> batch(name, a)));
    }
    return all;
  }

  private HostValue query(String name, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    return ask(asked(CallArguments.of(name, arguments, "prompt")));
  }

  private HostValue batch(String name, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var given = new CallArguments(name, arguments);
    var all = new ArrayList<Asked>();
    for (var prompt : given.items("prompts")) {
      var own = new java.util.LinkedHashMap<>(arguments);
      own.remove("prompts");
      own.put("prompt", prompt);
      all.add(asked(CallArguments.of(name, own, "prompt")));
    }
    return ask(all);
  }

  /// A request to a model.
  ///
  /// @param value all of it, for the record
  record Asked(
      String model,
      List<Message> messages,
      Optional<JsonSchema> schema,
      Optional<Integer> tokens,
      HostValue value) {}

  /// A request of a text alone.
  Asked asked(String prompt, Optional<String> model) throws HostFailure {
    var name = model(model);
    var value = new HostValue.Entries(Map.of("prompt", HostValue.of(prompt)));
    return new Asked(
        name, List.of(Message.user(prompt)), Optional.empty(), Optional.empty(), value);
  }

  private String model(Optional<String> named) throws HostFailure {
    var models = access.grants().models();
    var name = named.orElseGet(() -> models.keySet().iterator().next());
    if (!models.containsKey(name)) {
      throw CallArguments.unknown("model", name, new TreeSet<>(models.keySet()));
    }
    return name;
  }

  private Asked asked(CallArguments given) throws HostFailure {
    given.only(KNOWN);
    var messages = new ArrayList<Message>();
    var system = given.maybeText("system");
    if (system.isPresent()) messages.add(Message.system(system.get()));
    if (given.has("messages")) {
      for (var item : given.items("messages")) messages.add(message(given.function(), item));
    } else messages.add(Message.user(given.text("prompt")));
    Optional<JsonSchema> schema = Optional.empty();
    if (given.has("schema")) schema = Optional.of(schema(given));
    Optional<Integer> tokens = Optional.empty();
    if (given.has("max_tokens")) {
      tokens = Optional.of(given.number("max_tokens", 1, 1, TOKENS_MAX));
    }
    var value = new HostValue.Entries(new java.util.TreeMap<>(given.values()));
    return new Asked(model(given.maybeText("model")), messages, schema, tokens, value);
  }

  private static JsonSchema schema(CallArguments given) throws HostFailure {
    try {
      return JsonSchema.parse(HostJson.of(given.need("schema")));
    } catch (RuntimeException e) {
      throw CallArguments.wrong(
          given.function(), "takes a JSON Schema as `schema`: " + e.getMessage());
    }
  }

  private static Message message(String function, HostValue item) throws HostFailure {
    if (!(item instanceof HostValue.Entries(var fields))) {
      throw CallArguments.wrong(
          function, "takes messages that are dicts with `role` and `content`");
    }
    var given = new CallArguments(function, fields);
    var text = given.text("content");
    return switch (given.text("role")) {
      case "system" -> Message.system(text);
      case "user" -> Message.user(text);
      case "assistant" -> Message.assistant(text);
      default -> throw CallArguments.wrong(function, "knows the roles system, user and assistant");
    };
  }

  HostValue ask(Asked asked) throws HostFailure, InterruptedException {
    var call = new CellCalls.Call(CallKind.MODEL, asked.model(), asked.value());
    return session.calls().make(call, (context, key) -> value(asked, context, key));
  }

  HostValue ask(List<Asked> all) throws HostFailure, InterruptedException {
    var values = new HostValue.Items(all.stream().map(Asked::value).toList());
    var names = new TreeSet<String>();
    for (var one : all) names.add(one.model());
    var call = new CellCalls.Call(CallKind.MODEL, String.join(", ", names), values);
    return session
        .calls()
        .batch(call, all.size(), (i, context, key) -> value(all.get(i), context, key));
  }

  private HostValue value(Asked asked, AgentContext context, String key) throws Exception {
    var model = access.grants().models().get(asked.model());
    if (model == null) throw new IllegalStateException("`" + asked.model() + "` was checked");
    context.model(model);
    var asking = new Asking(context, key);
    var messages = new ArrayList<>(asked.messages());
    var reply = asking.ask(request(asked, messages));
    if (asked.schema().isEmpty()) return HostValue.of(reply.message().text());
    var read = read(reply, asked.schema().get());
    if (read.value() != null) return HostJson.read(read.value());
    messages.add(reply.message());
    messages.add(
        Message.user(
            "That does not fit: " + read.problem() + ". Answer again, with the JSON value alone."));
    var second = read(asking.ask(request(asked, messages)), asked.schema().get());
    if (second.value() != null) return HostJson.read(second.value());
    throw HostFailure.catchable(
        "invalid-answer", "the model's answer does not fit: " + second.problem());
  }

  private static ChatRequest request(Asked asked, List<Message> messages) {
    var request = ChatRequest.of(messages);
    if (asked.tokens().isPresent()) request = request.withMaxTokens(asked.tokens().get());
    if (asked.schema().isEmpty()) return request;
    return request.withFormat(new ResponseFormat.JsonSchema("answer", asked.schema().get().json()));
  }

  /// A value that fits, or the problem.
  private record Read(@Nullable Json value, String problem) {}

  private static Read read(ChatReply reply, JsonSchema schema) {
    try {
      var json = Json.parse(Fences.strip(reply.message().text()));
      var violations = schema.check(json);
      if (violations.isEmpty()) return new Read(json, "");
      return new Read(
          null, String.join("; ", violations.stream().limit(5).map(Violation::sentence).toList()));
    } catch (MalformedJson e) {
      return new Read(null, String.valueOf(e.getMessage()));
    }
  }

  /// Asks through all middleware. What the innermost asks is saved and counted.
  private final class Asking {
    private final AgentContext context;
    private final String key;
    private @Nullable ChatModel asked;
    private @Nullable ChatModel durable;
    private int models;

    Asking(AgentContext context, String key) {
      this.context = context;
      this.key = key;
    }

    ChatReply ask(ChatRequest request) throws Exception {
      return ask(0, request);
    }

    @SuppressWarnings("ReferenceEquality") // a fallback is another object
    private ChatReply ask(int from, ChatRequest request) throws Exception {
      var around = access.grants().around();
      if (from < around.size()) {
        return around.get(from).aroundModel(request, context, inner -> ask(from + 1, inner));
      }
      var now = durable;
      if (now == null || asked != context.model()) {
        asked = context.model();
        now = context.durable(context.model(), models == 0 ? key : key + " " + models);
        durable = now;
        models++;
      }
      var reply = now.call(request);
      session.calls().spent(key, reply.usage());
      return reply;
    }
  }
}
