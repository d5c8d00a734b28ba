package dev.superstep.agent;

import java.time.Duration;

/// Hears how the tools of an agent do, without the rest of its events. [#on] makes a listener of
/// it.
public interface ToolObserver {
  /// A call with good arguments started.
  ///
  /// @param input its arguments, cut where they are long
  default void start(String name, String input) {}

  /// A call was answered.
  default void complete(String name, Duration took) {}

  /// A call was answered by an error, or was bad and never started.
  default void error(String name, String message) {}

  /// The listener that tells the observer.
  static AgentListener on(ToolObserver observer) {
    return event -> {
      switch (event) {
        case AgentEvent.ToolStarted(_, var call) ->
            observer.start(call.tool(), summary(call.arguments()));
        case AgentEvent.ToolFinished(_, var call, var answer, var took) -> {
          if (answer.error()) observer.error(call.tool(), answer.text());
          else observer.complete(call.tool(), took);
        }
        case AgentEvent.ModelCallStarted _,
            AgentEvent.TextArrived _,
            AgentEvent.ModelCalled _,
            AgentEvent.AgentFinished _,
            AgentEvent.LimitMet _ -> {}
      }
    };
  }

  private static String summary(String arguments) {
    int most = 200;
    return arguments.length() <= most ? arguments : arguments.substring(0, most) + "…";
  }
}
