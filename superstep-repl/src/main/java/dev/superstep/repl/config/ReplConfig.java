package dev.superstep.repl.config;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import dev.superstep.model.ChatModel;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.agent.ReplTemplate;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import java.time.Duration;
import java.util.List;

/// A whole run by programs as one text: who writes them, what they may call, the instructions and
/// the limits. Immutable.
///
/// ```json
/// {"driver_model": "big", "sub_model": "small", "tools": ["search"],
///  "template": "context-explorer", "policy": {"turns": 10, "tokens": 500000}}
/// ```
///
/// `ReplConfig.parse(text).agent(registry)` makes the agent.
///
/// @param name of the agent
/// @param interpreter of the cells: `ragsh`, or one of the registry
/// @param driverModel writes the cells
/// @param subModels are asked by cells, the first one where a cell names none; the driver if empty
/// @param instructions are added to those of the template
/// @param tokens the most of a run with all that it calls
public record ReplConfig(
    String name,
    String interpreter,
    String driverModel,
    List<String> subModels,
    List<String> tools,
    List<String> agents,
    List<String> graphs,
    List<String> stores,
    ReplTemplate template,
    String instructions,
    ReplLimits limits,
    ReplPolicy policy,
    Duration runTime,
    long tokens) {
  /// The interpreters of a registry, by the names that a configuration may give.
  public static final Kind<SessionBackend> INTERPRETER =
      Kind.of("interpreter", SessionBackend.class);

  /// The built-in interpreter.
  public static final String RAGSH = "ragsh";

  private static final int DIRECT = 12_000;
  private static final long TOKENS = 2_000_000;
  private static final int RUN_SECONDS = 600;
  private static final int SECONDS_MAX = 7 * 24 * 3600;
  private static final List<String> KEYS =
      List.of(
          "name",
          "interpreter",
          "driver_model",
          "sub_model",
          "tools",
          "agents",
          "graphs",
          "stores",
          "template",
          "instructions",
          "policy");
  private static final List<String> POLICY =
      List.of(
          "turns",
          "model_calls",
          "tool_calls",
          "agent_calls",
          "graph_runs",
          "graph_definitions",
          "depth",
          "concurrency",
          "errors_in_a_row",
          "direct_tokens",
          "tokens",
          "run_seconds",
          "cell_operations",
          "cell_seconds",
          "cell_bytes",
          "output_shown",
          "output_most",
          "memory_bytes",
          "call_depth");

  public ReplConfig {
    subModels = List.copyOf(subModels);
    tools = List.copyOf(tools);
    agents = List.copyOf(agents);
    graphs = List.copyOf(graphs);
    stores = List.copyOf(stores);
  }

  /// Reads a configuration. What is left out has the standard value; a text of at most 12,000
  /// tokens is then read by the driver itself.
  ///
  /// @throws InvalidReplConfig if a key is unknown or has another form
  /// @throws dev.superstep.repl.agent.UnknownPlaceholder if its own template has one
  public static ReplConfig parse(String json) {
    var fields = ConfigFields.parse(json, KEYS);
    var policy = fields.object("policy", POLICY);
    return new ReplConfig(
        fields.text("name").orElse("repl"),
        fields.text("interpreter").orElse(RAGSH),
        fields
            .text("driver_model")
            .orElseThrow(() ->
                new InvalidReplConfig("driver_model", "is missing: the model that writes cells.")),
        fields.texts("sub_model"),
        fields.texts("tools"),
        fields.texts("agents"),
        fields.texts("graphs"),
        fields.texts("stores"),
        template(fields),
        fields.text("instructions").orElse(""),
        limits(policy),
        policy(policy),
        Duration.ofSeconds(policy.number("run_seconds", RUN_SECONDS, 1, SECONDS_MAX)),
        policy.number("tokens", TOKENS, 1, Long.MAX_VALUE));
  }

  /// The standard configuration.
  public static ReplConfig of(String driverModel) {
    return parse("{\"driver_model\": " + Json.string(driverModel).text() + "}");
  }

  /// Returns a copy with another name.
  public ReplConfig withName(String other) {
    return copy(other, limits, tokens);
  }

  /// Returns a copy with other limits of a session.
  public ReplConfig withLimits(ReplLimits most) {
    return copy(name, most, tokens);
  }

  /// Returns a copy with another number of tokens.
  public ReplConfig withTokens(long most) {
    return copy(name, limits, most);
  }

  private ReplConfig copy(String called, ReplLimits ofSession, long mostTokens) {
    return new ReplConfig(
        called,
        interpreter,
        driverModel,
        subModels,
        tools,
        agents,
        graphs,
        stores,
        template,
        instructions,
        ofSession,
        policy,
        runTime,
        mostTokens);
  }

  private static ReplTemplate template(ConfigFields fields) {
    if (fields.isObject("template")) {
      return fields
          .object("template", List.of("text"))
          .text("text")
          .map(ReplTemplate::of)
          .orElseThrow(() -> new InvalidReplConfig("template.text", "is missing."));
    }
    var name = fields.text("template");
    if (name.isEmpty()) return ReplTemplate.GENERAL;
    return ReplTemplate.named(name.get())
        .orElseThrow(() -> {
          var names = ReplTemplate.presets().stream().map(ReplTemplate::name).toList();
          return new InvalidReplConfig(
              "template",
              "is one of %s, or an object with a `text`, not `%s`.%s"
                  .formatted(String.join(", ", names), name.get(), near(name.get(), names)));
        });
  }

  private static String near(String wrong, List<String> names) {
    return Suggestion.nearest(wrong, names).map(n -> " Did you mean `" + n + "`?").orElse("");
  }

  private static ReplLimits limits(ConfigFields policy) {
    var standard = ReplLimits.standard();
    return new ReplLimits(
        policy.number("turns", standard.turns(), 1),
        policy.number("model_calls", standard.models(), 0),
        policy.number("tool_calls", standard.tools(), 0),
        policy.number("agent_calls", standard.agents(), 0),
        policy.number("graph_runs", standard.graphs(), 0),
        policy.number("graph_definitions", standard.definitions(), 0),
        (int) policy.number("depth", standard.depth(), 0, 4),
        (int) policy.number("concurrency", standard.concurrency(), 1, 1_000),
        policy.number("errors_in_a_row", standard.errors(), 1),
        policy.number("direct_tokens", DIRECT, 0));
  }

  private static ReplPolicy policy(ConfigFields policy) {
    var standard = ReplPolicy.standard();
    return new ReplPolicy(
        policy.number("cell_operations", standard.operations(), 1, Long.MAX_VALUE),
        policy.number("memory_bytes", standard.memoryBytes(), 1, Long.MAX_VALUE),
        (int) policy.number("call_depth", standard.callDepth(), 1, 1_000),
        policy.number("cell_bytes", standard.scriptBytes(), 1),
        policy.number("output_shown", standard.outputShown(), 1),
        policy.number("output_most", standard.outputMost(), 1),
        Duration.ofSeconds(
            policy.number("cell_seconds", standard.cellTime().toSeconds(), 1, SECONDS_MAX)));
  }

  /// The agent, whose models, tools, agents, graphs and stores are those of a registry.
  ///
  /// @throws InvalidReplConfig if the registry has no such interpreter
  /// @throws dev.superstep.registry.UnknownComponent if it has not what is named
  public Agent<String> agent(Registry registry) {
    var granted = Grants.of(registry);
    for (var model : subModels.isEmpty() ? List.of(driverModel) : subModels) {
      granted = granted.models(model);
    }
    granted =
        granted
            .tools(tools.toArray(String[]::new))
            .agents(agents.toArray(String[]::new))
            .graphs(graphs.toArray(String[]::new))
            .stores(stores.toArray(String[]::new));
    return settings(registry.get(Kind.MODEL, driverModel), granted)
        .backend(interpreter(registry))
        .build();
  }

  /// The settings of the agent with a driver and grants that the caller has, which may be changed
  /// further. Names of models, tools, agents and interpreters are not looked at.
  public ReplAgentBuilder settings(ChatModel driver, Grants grants) {
    return ReplAgent.named(name)
        .model(driver)
        .grants(grants)
        .template(template)
        .instructions(instructions)
        .limits(limits)
        .policy(policy)
        .budget(Budget.unlimited().totalTokens(tokens))
        .agent(agent -> agent.timeout(runTime));
  }

  private SessionBackend interpreter(Registry registry) {
    if (interpreter.equals(RAGSH)) return SessionBackend.ragsh();
    return registry
        .find(INTERPRETER, interpreter)
        .orElseThrow(() ->
            new InvalidReplConfig(
                "interpreter",
                "is `%s`, which is not `ragsh` and not in registry `%s`. Register it as %s."
                    .formatted(interpreter, registry.name(), INTERPRETER.name())));
  }
}
