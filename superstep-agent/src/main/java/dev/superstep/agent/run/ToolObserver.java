package dev.superstep.agent.run;

import dev.superstep.event.EventListener;
import java.time.Duration;

/// An observer of the tools of agents, without the rest of the events. [#on] makes a listener of
/// it.
public interface ToolObserver {
  /// A call runs.
  default void start(String name, String call) {}

  /// A call has a result.
  default void complete(String name, Duration took) {}

  /// A call was answered by an error, was bad, or was refused.
  default void error(String name, String why) {}

  /// The listener that tells the observer.
  static EventListener on(ToolObserver observer) {
    return AgentEvent.listener(event -> {
      switch (event) {
        case AgentEvent.ToolStarted(_, var call, var tool) -> observer.start(tool, call);
        case AgentEvent.ToolCompleted(_, _, var tool, var took) -> observer.complete(tool, took);
        case AgentEvent.ToolFailed(_, _, var tool, _) -> observer.error(tool, "failed");
        case AgentEvent.ToolUnknown(_, _, var tool) -> observer.error(tool, "unknown tool");
        case AgentEvent.ToolInvalidArguments(_, _, var tool) ->
            observer.error(tool, "bad arguments");
        case AgentEvent.ToolDenied(_, _, var tool) -> observer.error(tool, "denied");
        default -> {}
      }
    });
  }
}
