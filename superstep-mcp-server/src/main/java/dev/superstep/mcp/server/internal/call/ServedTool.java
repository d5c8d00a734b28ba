package dev.superstep.mcp.server.internal.call;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
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
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A tool that clients may call, and the graph that a call runs. Immutable.
///
/// @param isStored whether a call is a thread of the checkpointer: it may take long or ask
/// @param output the schema of its result, if clients are told one
public record ServedTool(
    Tool tool, ToolGraph call, Graph graph, boolean isStored, Optional<JsonSchema> output) {
  /// A graph of a program that adds to the options of its runs.
  public interface WithOptions {
    /// The options with those of the program.
    RunOptions options(RunOptions base);
  }

  public static ServedTool of(
      Tool tool, ToolGate gate, Duration most, Optional<JsonSchema> output) {
    var own = tool.graph();
    var call = own.isPresent() ? own.get().within(gate) : new HandledTool(tool, gate, most);
    boolean isStored = own.isPresent() || !tool.questions().isEmpty() || gate.confirms(tool);
    return new ServedTool(tool, call, call.graph(), isStored, output);
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

  /// The tool as a list of tools has it.
  public ObjectNode listed() {
    var spec = tool.spec();
    var json = Wire.object().put("name", spec.name()).put("description", spec.description());
    json.set("inputSchema", Wire.tree(spec.parameters()));
    output.ifPresent(schema -> json.set("outputSchema", Wire.tree(schema.json())));
    json.putObject("execution").put("taskSupport", isStored ? "optional" : "forbidden");
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
