package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGraph;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All that the cells of a session may call, by the names that they call it by. What is not in here
/// does not exist for them, and is not named in an error. Immutable.
///
/// ```java
/// Grants.of(registry).models("small").tools("search").agents("judge")
/// Grants.none().model("small", model).tools(SEARCH)
/// ```
public final class Grants {
  private final @Nullable Registry registry;
  private final Map<String, ChatModel> models;
  private final Map<String, Tool> tools;
  private final Map<String, Agent<?>> agents;
  private final Map<String, ToolGraph> graphs;
  private final List<Middleware> middleware;
  private final @Nullable GraphLanguage language;

  private Grants(
      @Nullable Registry registry,
      Map<String, ChatModel> models,
      Map<String, Tool> tools,
      Map<String, Agent<?>> agents,
      Rest rest) {
    this.registry = registry;
    this.models = Collections.unmodifiableMap(models);
    this.tools = Collections.unmodifiableMap(tools);
    this.agents = Collections.unmodifiableMap(agents);
    this.graphs = Collections.unmodifiableMap(rest.graphs());
    this.middleware = List.copyOf(rest.middleware());
    this.language = rest.language();
  }

  private record Rest(
      Map<String, ToolGraph> graphs,
      List<Middleware> middleware,
      @Nullable GraphLanguage language) {}

  /// Nothing is granted.
  public static Grants none() {
    return new Grants(null, Map.of(), Map.of(), Map.of(), rest());
  }

  /// Nothing is granted yet; names are those of a registry.
  public static Grants of(Registry registry) {
    return new Grants(registry, Map.of(), Map.of(), Map.of(), rest());
  }

  private static Rest rest() {
    return new Rest(Map.of(), List.of(Retrying.standard()), null);
  }

  private static <T> Map<String, T> plus(Map<String, T> known, String name, T value) {
    if (known.containsKey(name)) {
      throw new IllegalArgumentException("`" + name + "` is granted twice");
    }
    var all = new LinkedHashMap<>(known);
    all.put(name, value);
    return all;
  }

  private Rest same() {
    return new Rest(graphs, middleware, language);
  }

  private Registry names() {
    if (registry != null) return registry;
    throw new IllegalStateException("names without values need a registry: Grants.of(registry)");
  }

  /// Returns a copy with one more model. The first is asked where a cell names none.
  public Grants model(String name, ChatModel model) {
    return new Grants(registry, plus(models, name, model), tools, agents, same());
  }

  /// Returns a copy with more models of the registry.
  public Grants models(String... names) {
    var all = this;
    for (var name : names) all = all.model(name, names().get(Kind.MODEL, name));
    return all;
  }

  /// Returns a copy with more tools.
  public Grants tools(Tool... more) {
    var all = tools;
    for (var tool : more) all = plus(all, tool.name(), tool);
    return new Grants(registry, models, all, agents, same());
  }

  /// Returns a copy with more tools of the registry. Cells call them by the names that the registry
  /// has.
  public Grants tools(String... names) {
    var all = tools;
    for (var name : names) {
      all = plus(all, name, names().instantiate(Kind.TOOL, name, "repl"));
    }
    return new Grants(registry, models, all, agents, same());
  }

  /// Returns a copy with one more agent.
  public Grants agent(String name, Agent<?> agent) {
    return new Grants(registry, models, tools, plus(agents, name, agent), same());
  }

  /// Returns a copy with more agents of the registry.
  public Grants agents(String... names) {
    var all = this;
    for (var name : names) all = all.agent(name, names().instantiate(Kind.AGENT, name, "repl"));
    return all;
  }

  /// Returns a copy with one more graph, which takes JSON and gives text.
  public Grants graph(String name, ToolGraph graph) {
    var all = new Rest(plus(graphs, name, graph), middleware, language);
    return new Grants(registry, models, tools, agents, all);
  }

  /// Returns a copy whose models are asked through this middleware, the outermost first, in place
  /// of [Retrying#standard].
  public Grants middleware(Middleware... around) {
    var all = new Rest(graphs, List.of(around), language);
    return new Grants(registry, models, tools, agents, all);
  }

  /// Returns a copy whose cells may write graphs.
  public Grants language(GraphLanguage graphLanguage) {
    var all = new Rest(graphs, middleware, graphLanguage);
    return new Grants(registry, models, tools, agents, all);
  }

  /// Returns whether another one has all that this one has, and the same under each name.
  public boolean isWithin(Grants other) {
    return other.models.entrySet().containsAll(models.entrySet())
        && other.tools.entrySet().containsAll(tools.entrySet())
        && other.agents.entrySet().containsAll(agents.entrySet())
        && other.graphs.entrySet().containsAll(graphs.entrySet())
        && (language == null || language.equals(other.language));
  }

  Map<String, ChatModel> models() {
    return models;
  }

  Map<String, Tool> tools() {
    return tools;
  }

  Map<String, Agent<?>> agents() {
    return agents;
  }

  Map<String, ToolGraph> graphs() {
    return graphs;
  }

  List<Middleware> around() {
    return middleware;
  }

  Optional<GraphLanguage> language() {
    return Optional.ofNullable(language);
  }
}
