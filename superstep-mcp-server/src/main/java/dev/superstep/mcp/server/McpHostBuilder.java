package dev.superstep.mcp.server;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.CallStore;
import dev.superstep.mcp.server.internal.call.Calls;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.method.Offer;
import dev.superstep.mcp.server.internal.method.Protocol;
import dev.superstep.mcp.server.internal.method.ToolMethods;
import dev.superstep.mcp.server.internal.transport.ServerCore;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.schema.JsonSchema;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Collects what an [McpHost] serves, and how. One thread at a time.
public final class McpHostBuilder {
  private final String name;
  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final Map<String, JsonSchema> outputs = new HashMap<>();
  private final Map<String, TaskUse> tasks = new HashMap<>();
  private final List<ServedResource> resources = new ArrayList<>();
  private final List<ServedPrompt> prompts = new ArrayList<>();
  private String version = "0";
  private String instructions = "";
  private ToolGate gate = ToolGate.open();
  private McpHostLimits limits = McpHostLimits.standard();
  private BiPredicate<String, String> allowed = (_, _) -> true;
  private boolean approvalsByTool;
  private @Nullable Checkpointer checkpointer;
  private @Nullable ServiceStore documents;

  McpHostBuilder(String name) {
    if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          "name must begin with a letter and have at most 64 letters, digits and `._-`, was `"
              + name
              + "`");
    }
    this.name = name;
  }

  // --- What it serves ---

  /// Serves a tool: one with a handler, a flow by `asTool`, or one of another server. A call of a
  /// tool that asks, needs an approval or is a graph is stored.
  ///
  /// @throws IllegalArgumentException if there is another one of its name
  public McpHostBuilder tool(Tool tool) {
    if (tool.name().equals(ToolMethods.ANSWER) || tools.putIfAbsent(tool.name(), tool) != null) {
      throw new IllegalArgumentException("two tools are named `" + tool.name() + "`");
    }
    return this;
  }

  /// Serves a tool whose result is an object of this schema: the artifact of the result, or its
  /// text.
  ///
  /// @throws IllegalArgumentException if there is another one of its name
  public McpHostBuilder tool(Tool tool, JsonSchema result) {
    outputs.put(tool.name(), result);
    return tool(tool);
  }

  /// Serves tools.
  ///
  /// @throws IllegalArgumentException if two have one name
  public McpHostBuilder tools(Tools all) {
    for (var each : all.names()) tool(all.find(each).orElseThrow());
    return this;
  }

  /// Serves an agent, which a client gives a task in words.
  ///
  /// @param description tells a model when to use it
  /// @throws IllegalArgumentException if there is another tool of its name
  public McpHostBuilder agent(Agent<?> agent, String description) {
    return tool(agent.asTool(description));
  }

  /// Serves a graph.
  ///
  /// @param tool its name for clients, in snake case
  /// @param description tells a model when to use it
  /// @throws IllegalArgumentException if there is another tool of its name
  public McpHostBuilder graph(String tool, String description, Graph graph, GraphForm form) {
    form.result().ifPresent(schema -> outputs.put(tool, schema));
    return tool(Tool.of(tool, description, form.arguments(), new GraphTool(graph, form)));
  }

  /// Serves a resource, or a template of resources.
  public McpHostBuilder resource(ServedResource resource) {
    resources.add(resource);
    return this;
  }

  /// Serves a prompt.
  public McpHostBuilder prompt(ServedPrompt prompt) {
    prompts.add(prompt);
    return this;
  }

  // --- How ---

  /// Says the version of what is served; `0` unless set.
  public McpHostBuilder version(String text) {
    version = text;
    return this;
  }

  /// Tells the models of clients how to use all of it.
  public McpHostBuilder instructions(String text) {
    instructions = text;
    return this;
  }

  /// Decides on calls, in addition to the policies of the tools; [ToolGate#open] unless set. What
  /// needs an approval is asked as a question of the call.
  public McpHostBuilder gate(ToolGate rules) {
    gate = rules;
    return this;
  }

  /// Decides which principal sees and may call which tool; everybody all, unless set.
  ///
  /// @param rule gets the id of the principal and the name of the tool
  public McpHostBuilder allowing(BiPredicate<String, String> rule) {
    allowed = rule;
    return this;
  }

  /// Lets clients without forms give approvals by the tool for answers; off unless set. Then the
  /// model of a client decides, unless its program makes it ask its user. All other questions may
  /// always be answered by the tool.
  public McpHostBuilder approvalsByTool(boolean isOn) {
    approvalsByTool = isOn;
    return this;
  }

  /// Keeps calls there, so that another process can go on with them; in memory, unless set. The
  /// threads of calls then stay when they have ended. The caller closes both after the server.
  ///
  /// @param states of the calls
  /// @param records what is known of a call beside its state
  public McpHostBuilder storedIn(Checkpointer states, ServiceStore records) {
    checkpointer = states;
    documents = records;
    return this;
  }

  /// Sets whether calls of a tool are tasks: calls in the background, whose results clients fetch
  /// later. Unless set, they may be if they are stored.
  ///
  /// @param tool its name
  public McpHostBuilder tasks(String tool, TaskUse use) {
    tasks.put(tool, use);
    return this;
  }

  /// Sets the limits.
  public McpHostBuilder limits(McpHostLimits most) {
    limits = most;
    return this;
  }

  /// The server.
  public McpHost build() {
    McpHost.ToolForm form =
        tool ->
            ServedTool.of(
                tool,
                gate,
                limits.call(),
                Optional.ofNullable(outputs.get(tool.name())),
                Optional.ofNullable(tasks.get(tool.name())));
    var served = new LinkedHashMap<String, ServedTool>();
    for (var tool : tools.values()) {
      if (gate.shows(tool)) served.put(tool.name(), form.of(tool));
    }
    boolean isKept = checkpointer != null;
    var states = checkpointer == null ? new InMemoryCheckpointer() : checkpointer;
    var records = documents == null ? InMemoryServiceStore.open() : documents;
    return new McpHost(
        new ServerCore.Parts(
            new Protocol.About(name, version, instructions),
            Offer.of(served, resources, prompts, limits.call()),
            new Calls.Setting(
                states, new CallStore(records, name, limits.principal()), limits, isKept),
            new ToolMethods.Access(allowed, approvalsByTool)),
        form);
  }

  @Override
  public String toString() {
    return "McpHostBuilder[" + name + ", " + tools.keySet() + "]";
  }
}
