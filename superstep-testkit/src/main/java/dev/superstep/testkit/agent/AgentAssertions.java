package dev.superstep.testkit.agent;

import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import java.util.List;

/// Assertions on what agents ask and do.
///
/// ```java
/// assertThatPrompt(model.requests().getFirst()).hasSystemText("Be kind.").offersExactly("pay");
/// assertThatTrajectory(agent.run("Refund order 17"))
///     .callsExactly(call("look_up").with("order", 17), call("refund"))
///     .endedBy(StopReason.ANSWERED);
/// ```
public final class AgentAssertions {
  private AgentAssertions() {}

  /// On what a model was asked.
  public static PromptAssert assertThatPrompt(ChatRequest request) {
    return new PromptAssert(request);
  }

  /// On what an agent did that has ended. Of one that waits for people, the events tell.
  ///
  /// @throws dev.superstep.agent.NotAnswered if it has not ended
  public static TrajectoryAssert assertThatTrajectory(AgentResult<?> result) {
    return assertThatTrajectory(result.report());
  }

  /// On what an agent did.
  public static TrajectoryAssert assertThatTrajectory(AgentReport report) {
    return assertThatTrajectory(Trajectory.of(report));
  }

  /// On what the model of a conversation did.
  public static TrajectoryAssert assertThatTrajectory(List<? extends Message> conversation) {
    return assertThatTrajectory(Trajectory.of(conversation));
  }

  /// On what an agent did, wherever that was read.
  public static TrajectoryAssert assertThatTrajectory(Trajectory trajectory) {
    return new TrajectoryAssert(trajectory);
  }
}
