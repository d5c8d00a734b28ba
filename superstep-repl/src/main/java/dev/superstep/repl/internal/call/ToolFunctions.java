package dev.superstep.repl.internal.call;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The functions that call tools, as the agent's model would: schema, gate, approval, middleware
/// and events are the same.
final class ToolFunctions {
  private static final Set<String> KNOWN = Set.of("tool", "arguments");

  private final SessionAccess access;
  private final CallSession session;

  ToolFunctions(SessionAccess access, CallSession session) {
    this.access = access;
    this.session = session;
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of("tool(name, /, **arguments)", this::tool),
        HostFunction.of("tool_call(request)", a -> call("tool_call", a)),
        HostFunction.of("tool_batch(requests)", a -> batch("tool_batch", a)),
        HostFunction.of("tool_call_batched(requests)", a -> batch("tool_call_batched", a)));
  }

  private record Asked(String tool, HostValue arguments) {
    HostValue value() {
      var all = new LinkedHashMap<String, HostValue>();
      all.put("tool", HostValue.of(tool));
      all.put("arguments", arguments);
      return new HostValue.Entries(all);
    }
  }

  private HostValue tool(Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var given = new CallArguments("tool", arguments);
    var inner = given.has("arguments") ? given.need("arguments") : new HostValue.Entries(Map.of());
    return make(known(new Asked(given.text("name"), inner)));
  }

  private HostValue call(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    return make(asked(function, new CallArguments(function, arguments).need("request")));
  }

  private HostValue batch(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var all = new ArrayList<Asked>();
    for (var item : new CallArguments(function, arguments).items("requests")) {
      all.add(asked(function, item));
    }
    var names = new TreeSet<String>();
    for (var one : all) names.add(one.tool());
    var value = new HostValue.Items(all.stream().map(Asked::value).toList());
    var call = new CellCalls.Call(CallKind.TOOL, String.join(", ", names), value);
    return session
        .calls()
        .batch(call, all.size(), (i, context, key) -> result(all.get(i), context, key));
  }

  private Asked asked(String function, HostValue item) throws HostFailure {
    if (!(item instanceof HostValue.Entries(var fields))) {
      throw CallArguments.wrong(function, "takes a dict with `tool` and `arguments`");
    }
    var given = new CallArguments(function, fields);
    given.only(KNOWN);
    var inner = given.has("arguments") ? given.need("arguments") : new HostValue.Entries(Map.of());
    return known(new Asked(given.text("tool"), inner));
  }

  private Asked known(Asked asked) throws HostFailure {
    var tools = access.grants().tools();
    if (tools.containsKey(asked.tool())) return asked;
    throw CallArguments.unknown("tool", asked.tool(), new TreeSet<>(tools.keySet()));
  }

  private HostValue make(Asked asked) throws HostFailure, InterruptedException {
    var call = new CellCalls.Call(CallKind.TOOL, asked.tool(), asked.arguments());
    return session.calls().make(call, (context, key) -> result(asked, context, key));
  }

  private static HostValue result(Asked asked, AgentContext context, String key) throws Exception {
    var id = key.replaceAll("[^A-Za-z0-9]+", "-");
    var result = context.run(new ToolCall(id, asked.tool(), HostJson.of(asked.arguments()).text()));
    if (result.error()) throw HostFailure.catchable("tool-error", result.text());
    return value(result.text());
  }

  /// The result of a tool: a value if it is JSON, else a text.
  private static HostValue value(String text) {
    if (!text.startsWith("{") && !text.startsWith("[")) return HostValue.of(text);
    try {
      return HostJson.read(Json.parse(text));
    } catch (MalformedJson _) {
      return HostValue.of(text);
    }
  }
}
