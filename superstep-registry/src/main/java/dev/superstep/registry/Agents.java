package dev.superstep.registry;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.registry.InvalidAgent.Problem;
import java.util.ArrayList;
import java.util.List;

/// Makes agents of definitions, with the parts that a registry has under their names.
///
/// ```java
/// var definition = AgentDefinition.of("desk", "fast").withTools("weather");
/// Agent<String> desk = Agents.in(registry).agent(definition);
/// registry.register(Agents.in(registry).component("desk", definition));
/// ```
///
/// Immutable, safe for many threads.
public final class Agents {
  private final Registry registry;
  private final String run;

  private Agents(Registry registry, String run) {
    this.registry = registry;
    this.run = run;
  }

  /// Takes parts from a registry. Parts with a factory are made once for each agent.
  public static Agents in(Registry registry) {
    return new Agents(registry, "agents");
  }

  /// Returns a copy for one run, which factories are told.
  ///
  /// @param id of the run, or another key
  public Agents forRun(String id) {
    return new Agents(registry, id);
  }

  /// An agent that answers with text.
  ///
  /// @throws InvalidAgent with all that is wrong
  public Agent<String> agent(AgentDefinition definition) {
    return new Making(definition, this::part).made(AgentBuilder::build);
  }

  /// An agent that answers with a value of a record, or of a sealed interface over records.
  ///
  /// @throws InvalidAgent with all that is wrong
  public <A> Agent<A> answering(AgentDefinition definition, Class<A> type) {
    return new Making(definition, this::part).made(builder -> builder.answering(type));
  }

  /// The settings of an agent, for what a definition does not say.
  ///
  /// @throws InvalidAgent with all that is wrong
  public AgentBuilder builder(AgentDefinition definition) {
    return new Making(definition, this::part).made(builder -> builder);
  }

  /// All that is wrong with a definition, such as names that nothing has; nothing if an agent can
  /// be made of it. To find out, the agent is made.
  public List<Problem> problems(AgentDefinition definition) {
    try {
      var _ = agent(definition);
      return List.of();
    } catch (InvalidAgent e) {
      return e.problems();
    }
  }

  /// A component that makes the agent for each run, and depends on its parts. They may be
  /// registered later: [Registry#diagnose] tells which are not.
  ///
  /// @param name of the component, as [Kind#id] reads it
  /// @throws InvalidAgent if a part has a name that no component can have
  public Component<Agent<?>> component(String name, AgentDefinition definition) {
    var needed = new ArrayList<String>();
    var check = new Making(definition, Agents::none);
    for (var id : check.ids()) needed.add(id.text());
    Factory<Agent<?>> factory =
        parts -> new Making(definition, parts::get).made(AgentBuilder::build);
    return Component.perRun(Kind.AGENT, name, factory)
        .withDependencies(needed.stream().distinct().toArray(String[]::new));
  }

  private <T> T part(Kind<T> kind, String name) {
    return registry.instantiate(kind, name, run);
  }

  private static <T> T none(Kind<T> kind, String name) {
    throw new IllegalStateException("only the names are asked for, not " + kind.id(name));
  }

  @Override
  public String toString() {
    return "Agents[" + registry.name() + "]";
  }
}
