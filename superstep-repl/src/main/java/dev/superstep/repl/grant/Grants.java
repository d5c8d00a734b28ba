package dev.superstep.repl.grant;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.grant.GraphLanguage.Granted;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGraph;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All that the cells of a session may call, by the names that they call it by. What is not in here
/// does not exist for them, and is not named in an error. Immutable.
///
/// ```java
/// Grants.of(registry).models("small").tools("search").agents("judge").graphs("triage")
/// Grants.none().model("small", model).tools(SEARCH).store("notes", store, Namespace.of("notes"))
/// ```
public final class Grants {
  private final @Nullable Registry registry;
  private Map<String, ChatModel> models = Map.of();
  private Map<String, Tool> tools = Map.of();
  private Map<String, Agent<?>> agents = Map.of();
  private Map<String, ToolGraph> graphs = Map.of();
  private Map<String, GrantedStore> stores = Map.of();
  private List<Middleware> middleware = List.of(Retrying.standard());
  private @Nullable GraphLanguage language;

  /// The names that are those of the registry, each after its kind.
  private Set<String> registered = Set.of();

  private Grants(@Nullable Registry registry) {
    this.registry = registry;
  }

  private Grants(Grants from) {
    registry = from.registry;
    models = from.models;
    tools = from.tools;
    agents = from.agents;
    graphs = from.graphs;
    stores = from.stores;
    middleware = from.middleware;
    language = from.language;
    registered = from.registered;
  }

  /// Nothing is granted.
  public static Grants none() {
    return new Grants((Registry) null);
  }

  /// Nothing is granted yet; names are those of a registry.
  public static Grants of(Registry registry) {
    return new Grants(registry);
  }

  private static <T> Map<String, T> plus(Map<String, T> known, String name, T value) {
    if (known.containsKey(name)) {
      throw new IllegalArgumentException("`" + name + "` is granted twice");
    }
    var all = new LinkedHashMap<>(known);
    all.put(name, value);
    return Collections.unmodifiableMap(all);
  }

  private Registry names() {
    if (registry != null) return registry;
    throw new IllegalStateException("names without values need a registry: Grants.of(registry)");
  }

  private Grants registered(Kind<?> kind, String... names) {
    var all = new HashSet<>(registered);
    for (var name : names) all.add(kind.name() + " " + name);
    var copy = new Grants(this);
    copy.registered = Set.copyOf(all);
    return copy;
  }

  private Set<String> registered(Kind<?> kind) {
    var begin = kind.name() + " ";
    return registered.stream()
        .filter(name -> name.startsWith(begin))
        .map(name -> name.substring(begin.length()))
        .collect(Collectors.toSet());
  }

  /// Returns a copy with one more model. The first is asked where a cell names none.
  public Grants model(String name, ChatModel model) {
    var copy = new Grants(this);
    copy.models = plus(models, name, model);
    return copy;
  }

  /// Returns a copy with more models of the registry.
  public Grants models(String... names) {
    var all = registered(Kind.MODEL, names);
    for (var name : names) all = all.model(name, names().get(Kind.MODEL, name));
    return all;
  }

  /// Returns a copy with more tools.
  public Grants tools(Tool... more) {
    var copy = new Grants(this);
    for (var tool : more) copy.tools = plus(copy.tools, tool.name(), tool);
    return copy;
  }

  /// Returns a copy with more tools of the registry. Cells call them by the names that the registry
  /// has.
  public Grants tools(String... names) {
    var copy = registered(Kind.TOOL, names);
    for (var name : names) {
      copy.tools = plus(copy.tools, name, names().instantiate(Kind.TOOL, name, "repl"));
    }
    return copy;
  }

  /// Returns a copy with one more agent.
  public Grants agent(String name, Agent<?> agent) {
    var copy = new Grants(this);
    copy.agents = plus(agents, name, agent);
    return copy;
  }

  /// Returns a copy with more agents of the registry.
  public Grants agents(String... names) {
    var all = registered(Kind.AGENT, names);
    for (var name : names) all = all.agent(name, names().instantiate(Kind.AGENT, name, "repl"));
    return all;
  }

  /// Returns a copy with one more graph, which takes JSON and gives text.
  public Grants graph(String name, ToolGraph graph) {
    var copy = new Grants(this);
    copy.graphs = plus(graphs, name, graph);
    return copy;
  }

  /// Returns a copy with one more graph, whose input and result are dicts of its channels.
  public Grants graph(String name, Graph graph) {
    return graph(name, new ChannelGraph(graph));
  }

  /// Returns a copy with more graphs of the registry, as [#graph(String, Graph)] has them.
  public Grants graphs(String... names) {
    var all = registered(Kind.GRAPH, names);
    for (var name : names) all = all.graph(name, names().instantiate(Kind.GRAPH, name, "repl"));
    return all;
  }

  /// Returns a copy with one more store: cells read and write the items of this namespace, and see
  /// no others.
  public Grants store(String name, Store store, Namespace within) {
    var copy = new Grants(this);
    copy.stores = plus(stores, name, new GrantedStore(store, within));
    return copy;
  }

  /// Returns a copy with more stores of the registry. In each, cells have the namespace that is
  /// called as the store is.
  public Grants stores(String... names) {
    var all = registered(Kind.STORE, names);
    for (var name : names) {
      var store = names().instantiate(Kind.STORE, name, "repl");
      all = all.store(name, store, Namespace.of(name));
    }
    return all;
  }

  /// Returns a copy whose models are asked through this middleware, the outermost first, in place
  /// of [Retrying#standard].
  public Grants middleware(Middleware... around) {
    var copy = new Grants(this);
    copy.middleware = List.of(around);
    return copy;
  }

  /// Returns a copy whose cells may write graphs. These can name what was granted by its name in
  /// the registry, and nothing else that does something.
  public Grants language(GraphLanguage graphLanguage) {
    var copy = new Grants(this);
    copy.language = graphLanguage;
    return copy;
  }

  /// Returns a copy whose language knows of all that is granted.
  ///
  /// @param agent the name of the agent whose cells write
  public Grants bound(String agent) {
    if (language == null) return this;
    var granted =
        new Granted(
            Optional.ofNullable(registry),
            registered(Kind.MODEL),
            registered(Kind.TOOL),
            registered(Kind.AGENT),
            registered(Kind.GRAPH),
            registered(Kind.STORE));
    return language(language.within(granted, agent));
  }

  /// Returns whether another one has all that this one has, and the same under each name.
  public boolean isWithin(Grants other) {
    return other.models.entrySet().containsAll(models.entrySet())
        && other.tools.entrySet().containsAll(tools.entrySet())
        && other.agents.entrySet().containsAll(agents.entrySet())
        && other.graphs.entrySet().containsAll(graphs.entrySet())
        && other.stores.entrySet().containsAll(stores.entrySet())
        && (language == null || language.equals(other.language));
  }

  public Map<String, ChatModel> models() {
    return models;
  }

  public Map<String, Tool> tools() {
    return tools;
  }

  public Map<String, Agent<?>> agents() {
    return agents;
  }

  public Map<String, ToolGraph> graphs() {
    return graphs;
  }

  public Map<String, GrantedStore> stores() {
    return stores;
  }

  public List<Middleware> around() {
    return middleware;
  }

  public Optional<GraphLanguage> language() {
    return Optional.ofNullable(language);
  }

  @Override
  public String toString() {
    return "Grants[models %s, tools %s, agents %s, graphs %s, stores %s]"
        .formatted(
            models.keySet(), tools.keySet(), agents.keySet(), graphs.keySet(), stores.keySet());
  }
}
