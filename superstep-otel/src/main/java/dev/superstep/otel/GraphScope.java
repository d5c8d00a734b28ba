package dev.superstep.otel;

import dev.superstep.agent.run.AgentEvent;
import io.opentelemetry.context.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A graph at work in a run: the run's own, or one inside a node. For the thread that hears its
/// run.
final class GraphScope {
  private final List<String> path;
  private final Context parent;
  private @Nullable OpenAgent agent;
  private boolean told;

  /// @param around the context of whatever encloses the graph
  GraphScope(List<String> path, Context around) {
    this.path = path;
    this.parent = around;
  }

  List<String> path() {
    return path;
  }

  /// In which its agent is.
  Context parent() {
    return parent;
  }

  /// In which its tasks are.
  Context context() {
    var now = agent;
    return now == null ? parent : now.span().context();
  }

  @Nullable OpenAgent agent() {
    return agent;
  }

  void agent(@Nullable OpenAgent now) {
    agent = now;
  }

  /// Notes that an agent published an event in it.
  void isAgents() {
    told = true;
  }

  boolean ofAgent() {
    return told;
  }

  /// Returns true if an event is about the agent that this graph is, and the agent's start was
  /// missed.
  boolean isMissed(AgentEvent event) {
    return agent == null && !(event instanceof AgentEvent.AgentStarted);
  }
}
