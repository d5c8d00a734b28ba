package dev.superstep.registry;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.detached.DetachedTasks;
import dev.superstep.event.EventListener;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.node.Router;
import dev.superstep.prompt.PromptTemplate;
import dev.superstep.state.Reducer;
import dev.superstep.store.Store;
import dev.superstep.tool.Tool;

/// A kind of component and the Java type that components of it have. There may be more than those
/// here: `Kind.of("parser", Parser.class)`. Immutable.
public final class Kind<T> {
  public static final Kind<Agent<?>> AGENT = open("agent", Agent.class);
  public static final Kind<Flow<?, ?>> FLOW = open("flow", Flow.class);
  public static final Kind<Graph> GRAPH = of("graph", Graph.class);
  public static final Kind<ChatModel> MODEL = of("model", ChatModel.class);
  public static final Kind<Tool> TOOL = of("tool", Tool.class);
  public static final Kind<Middleware> MIDDLEWARE = of("middleware", Middleware.class);
  public static final Kind<Store> STORE = of("store", Store.class);
  public static final Kind<EventListener> LISTENER = of("listener", EventListener.class);
  public static final Kind<Router<?>> ROUTER = open("router", Router.class);
  public static final Kind<Reducer<?, ?>> REDUCER = open("reducer", Reducer.class);

  public static final Kind<PromptTemplate> TEMPLATE = of("template", PromptTemplate.class);

  /// The text of a program in a language that is not Java.
  public static final Kind<String> SCRIPT = of("script", String.class);

  public static final Kind<Checkpointer> CHECKPOINTER = of("checkpointer", Checkpointer.class);
  public static final Kind<DetachedTasks<?>> TASK_STORE = open("task_store", DetachedTasks.class);

  private final String name;
  private final Class<?> type;

  private Kind(String name, Class<?> type) {
    this.name = ComponentId.checked("kind", name);
    this.type = type;
  }

  /// A kind.
  ///
  /// @param name in snake case
  /// @throws InvalidComponentName if the name is none
  public static <T> Kind<T> of(String name, Class<T> type) {
    return new Kind<>(name, type);
  }

  /// Creates a kind whose type has type arguments, which cannot be checked.
  private static <T> Kind<T> open(String name, Class<? super T> type) {
    return new Kind<>(name, type);
  }

  public String name() {
    return name;
  }

  /// The type of all components of this kind.
  public Class<?> type() {
    return type;
  }

  /// The id of a component of this kind.
  ///
  /// @param name `name`, `namespace/name`, each with or without `@version`
  /// @throws InvalidComponentName if it is none of these
  public ComponentId id(String name) {
    return ComponentId.parse(this.name + ":" + name);
  }

  @SuppressWarnings("unchecked") // checked here, but for type arguments
  T cast(Object value) {
    return (T) type.cast(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Kind<?> kind && name.equals(kind.name) && type.equals(kind.type);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
