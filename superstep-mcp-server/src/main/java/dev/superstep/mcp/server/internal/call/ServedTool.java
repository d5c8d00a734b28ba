package dev.superstep.mcp.server.internal.call;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.message.ToolCall;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A tool that clients may call, and the graph that a call runs. Immutable.
///
/// @param isStored whether a call is a thread of the checkpointer: it may take long or ask
/// @param tasks whether calls may be tasks
/// @param output the schema of its result, if clients are told one
public record ServedTool(
    Tool tool,
    ToolGraph call,
    Graph graph,
    boolean isStored,
    TaskUse tasks,
    Optional<JsonSchema> output) {
  private static final int DEPTH_MAX = 8;

  /// A graph of a program that adds to the options of its runs.
  public interface WithOptions {
    /// The options with those of the program.
    RunOptions options(RunOptions base);
  }

  /// A tool as it is served.
  ///
  /// @param most time of a call
  /// @param tasks as the program set it, if it did
  public static ServedTool of(
      Tool tool,
      ToolGate gate,
      Duration most,
      Optional<JsonSchema> output,
      Optional<TaskUse> tasks) {
    var own = tool.graph();
    var call = own.isPresent() ? own.get().within(gate) : new HandledTool(tool, gate, most);
    boolean mustBeStored = own.isPresent() || !tool.questions().isEmpty() || gate.confirms(tool);
    boolean isStored = mustBeStored || tasks.filter(use -> use != TaskUse.NEVER).isPresent();
    var use = tasks.orElse(isStored ? TaskUse.POSSIBLE : TaskUse.NEVER);
    return new ServedTool(tool, call, call.graph(), isStored, use, output);
  }

  public String name() {
    return tool.name();
  }

  /// The faults of arguments, in words for a model.
  public Optional<String> problem(Json arguments) {
    var call = new ToolCall("call", name(), arguments.text());
    return switch (ToolCaller.of(Tools.of(tool)).check(call)) {
      case ToolCaller.Checked.Good _ -> Optional.empty();
      case ToolCaller.Checked.Bad(_, _, var why) -> Optional.of(why);
    };
  }

  /// The question of a name, if the graph declares it.
  Optional<Question<?, ?>> question(String name) {
    for (var one : graph.questions()) if (one.name().equals(name)) return Optional.of(one);
    return Optional.empty();
  }

  /// The options of a run, with those of the program.
  RunOptions options(RunOptions base) {
    return call instanceof WithOptions own ? own.options(base) : base;
  }

  /// Returns whether a call may have to wait for a person.
  public boolean mayAsk() {
    return isStored && !graph.questions().isEmpty();
  }

  private String taskSupport() {
    return switch (tasks) {
      case NEVER -> "forbidden";
      case POSSIBLE, AFTER_ANSWERS -> "optional";
      case ALWAYS -> "required";
    };
  }

  /// The arguments that callers by HTTP repeat in headers, as the schema says by `x-mcp-header`:
  /// JSON pointers, and the names of the headers.
  public Map<String, String> headers() {
    var found = new LinkedHashMap<String, String>();
    headers(Wire.tree(tool.spec().parameters()), "", 0, found);
    return found;
  }

  private static void headers(JsonNode schema, String place, int depth, Map<String, String> found) {
    if (depth > DEPTH_MAX) return;
    for (var field : schema.path("properties").properties()) {
      var name = field.getKey().replace("~", "~0").replace("/", "~1");
      var header = Wire.text(field.getValue(), "x-mcp-header");
      if (!header.isEmpty()) found.put(place + "/" + name, header);
      headers(field.getValue(), place + "/" + name, depth + 1, found);
    }
  }

  /// The tool as a list of tools has it.
  public ObjectNode listed() {
    var spec = tool.spec();
    var json = Wire.object().put("name", spec.name()).put("description", spec.description());
    json.set("inputSchema", Wire.tree(spec.parameters()));
    output.ifPresent(schema -> json.set("outputSchema", Wire.tree(schema.json())));
    json.putObject("execution").put("taskSupport", taskSupport());
    var policy = tool.policy();
    if (!policy.isClassified()) return json;
    var effects = policy.effects();
    boolean isDestructive =
        effects.contains(SideEffect.DESTRUCTIVE)
            || effects.contains(SideEffect.WRITES_FILES)
            || effects.contains(SideEffect.PAYMENT);
    boolean isOpen =
        effects.contains(SideEffect.NETWORK)
            || effects.contains(SideEffect.EXTERNAL_SERVICE)
            || effects.contains(SideEffect.PAYMENT);
    json.putObject("annotations")
        .put("readOnlyHint", policy.isReadOnly())
        .put("destructiveHint", isDestructive)
        .put("idempotentHint", policy.isIdempotent())
        .put("openWorldHint", isOpen);
    return json;
  }
}
