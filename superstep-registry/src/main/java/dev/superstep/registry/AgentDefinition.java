package dev.superstep.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An agent by the names of its parts: what a file or a form can say of one. [Agents] makes the
/// agent of it, and tells all that is wrong. Names are those of a registry, as [Kind#id] reads
/// them. Immutable; can be stored as JSON.
///
/// ```java
/// AgentDefinition.of("desk", "fast").withSystem("Be kind.").withTools("weather", "search")
/// ```
///
/// @param name of the agent, for events and errors
/// @param model which model it asks
/// @param system its instructions; empty if a template has them, or nothing
/// @param prompt the template of its instructions and examples
/// @param tools what its model may call
/// @param agents which other agents its model may call
/// @param middleware from the outermost to the innermost
/// @param approved the tools that it calls only after a person has approved
public record AgentDefinition(
    String name,
    String model,
    String system,
    Optional<Template> prompt,
    List<String> tools,
    List<Callee> agents,
    List<String> middleware,
    List<String> approved,
    Limits limits) {
  /// A prompt template and the values for it.
  public record Template(String name, Map<String, String> values) {
    public Template {
      values = Map.copyOf(values);
    }
  }

  /// An agent that may be called.
  ///
  /// @param agent its name in the registry
  /// @param description tells the model when to call it
  public record Callee(String agent, String description) {}

  /// The limits; where one is absent, the default holds.
  ///
  /// @param modelCalls the most turns of the model in a run
  /// @param toolCalls the most tool calls in a run
  /// @param concurrency the most calls at once
  /// @param depth how many agents may be nested
  /// @param attempts the most attempts at a model in a turn
  /// @param timeout the most time for a run
  /// @param toolTimeout the most time for a call
  public record Limits(
      Optional<Integer> modelCalls,
      Optional<Integer> toolCalls,
      Optional<Integer> concurrency,
      Optional<Integer> depth,
      Optional<Integer> attempts,
      Optional<Duration> timeout,
      Optional<Duration> toolTimeout) {
    /// The defaults.
    public static final Limits DEFAULTS =
        new Limits(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }

  public AgentDefinition {
    tools = List.copyOf(tools);
    agents = List.copyOf(agents);
    middleware = List.copyOf(middleware);
    approved = List.copyOf(approved);
  }

  /// An agent with a model and nothing else.
  public static AgentDefinition of(String name, String model) {
    return new AgentDefinition(
        name,
        model,
        "",
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Limits.DEFAULTS);
  }

  /// Returns a copy with instructions.
  public AgentDefinition withSystem(String text) {
    return new AgentDefinition(
        name, model, text, prompt, tools, agents, middleware, approved, limits);
  }

  /// Returns a copy whose instructions and examples are made by a template.
  public AgentDefinition withTemplate(String template, Map<String, String> values) {
    var other = Optional.of(new Template(template, new LinkedHashMap<>(values)));
    return new AgentDefinition(
        name, model, system, other, tools, agents, middleware, approved, limits);
  }

  /// Returns a copy with more tools.
  public AgentDefinition withTools(String... more) {
    return new AgentDefinition(
        name, model, system, prompt, plus(tools, more), agents, middleware, approved, limits);
  }

  /// Returns a copy with another agent that its model may call.
  ///
  /// @param description tells the model when to call it
  public AgentDefinition withAgent(String agent, String description) {
    var more = new ArrayList<>(agents);
    more.add(new Callee(agent, description));
    return new AgentDefinition(
        name, model, system, prompt, tools, more, middleware, approved, limits);
  }

  /// Returns a copy with more middleware, inside of what it has.
  public AgentDefinition withMiddleware(String... more) {
    return new AgentDefinition(
        name, model, system, prompt, tools, agents, plus(middleware, more), approved, limits);
  }

  /// Returns a copy that calls these of its tools only after a person has approved.
  public AgentDefinition withApproved(String... more) {
    return new AgentDefinition(
        name, model, system, prompt, tools, agents, middleware, plus(approved, more), limits);
  }

  /// Returns a copy with other limits.
  public AgentDefinition withLimits(Limits others) {
    return new AgentDefinition(
        name, model, system, prompt, tools, agents, middleware, approved, others);
  }

  private static List<String> plus(List<String> some, String... more) {
    var all = new ArrayList<>(some);
    all.addAll(List.of(more));
    return all;
  }
}
