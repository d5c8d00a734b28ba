package dev.superstep.flow;

import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.tool.ToolDependencies;
import java.util.concurrent.Callable;

/// The environment of a step: its injected values, and the questions and effects that it may use.
/// Only for the thread of the step.
public final class FlowContext {
  private final String flow;
  private final String state;
  private final ToolDependencies injected;
  private final NodeContext node;

  FlowContext(String flow, String state, ToolDependencies injected, NodeContext node) {
    this.flow = flow;
    this.state = state;
    this.injected = injected;
    this.node = node;
  }

  /// The name of the flow.
  public String flow() {
    return flow;
  }

  /// The key of the state that the step takes.
  public String state() {
    return state;
  }

  /// Something that the program injected: a client, a workspace, the id of the user.
  ///
  /// @throws dev.superstep.json.SuperstepException if it injected none of this type
  /// @see Flow#withInjected
  public <T> T get(Class<T> type) {
    return injected.get(type, state);
  }

  /// Does something outside that must not be done twice: [NodeContext#step(String, Class,
  /// Callable)].
  public <T> T step(String key, Class<T> type, Callable<T> effect) throws Exception {
    return node.step(key, type, effect);
  }

  /// Asks a person, and returns the answer, perhaps in another process; the step then runs again
  /// from its start.
  ///
  /// @param question one that the flow declares: [FlowBuilder#questions]
  public <P, A> A ask(Question<P, A> question, P payload) {
    return node.interrupt(question, payload);
  }

  /// The step as a node of the engine: its clock, its store, its deadline, who listens.
  public NodeContext node() {
    return node;
  }

  @Override
  public String toString() {
    return "FlowContext[" + flow + ", state " + state + "]";
  }
}
