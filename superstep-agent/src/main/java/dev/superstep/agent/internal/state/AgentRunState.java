package dev.superstep.agent.internal.state;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Spend;
import dev.superstep.json.Json;
import dev.superstep.model.ResolvedModel;
import dev.superstep.state.Channel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The progress of an agent's run, saved with its thread. Immutable.
///
/// @param identity which run of which agent it is
/// @param began when its input came, if its time is limited
/// @param empty how often in a row the model has said nothing
/// @param repairs how often an answer of the wrong form was sent back
/// @param model which model the last turn asked
/// @param prefix the fingerprint of the stable prefix of the last turn
/// @param answer in the form that was asked for, once it is there
/// @param ending why it is over, once it is
@JsonTypeName("Progress")
public record AgentRunState(
    Identity identity,
    Instant began,
    int modelCalls,
    int toolCalls,
    int empty,
    int repairs,
    Optional<ResolvedModel> model,
    Optional<String> prefix,
    Optional<Json> answer,
    Optional<Ending> ending) {
  public static final Channel<AgentRunState, AgentRunState> CHANNEL =
      Channel.latest("agent-progress", AgentRunState.class);

  /// A caller of the agent.
  ///
  /// @param run the agent's own id
  /// @param spent the spending of the agent when it called
  public record Around(String run, Spend spent) {}

  /// The ids of the run and of its callers.
  ///
  /// @param run the agent's own id
  /// @param around the callers, the outermost first
  public record Identity(String run, List<Around> around) {
    public Identity {
      around = List.copyOf(around);
    }

    public String parent() {
      return around.isEmpty() ? "" : around.getLast().run();
    }

    public String root() {
      return around.isEmpty() ? run : around.getFirst().run();
    }
  }

  /// The end of a run.
  ///
  /// @param text the answer, or why there is none
  /// @param code of the error, if it is one
  public record Ending(StopReason reason, String text, Optional<String> code) {}

  public static AgentRunState begin(Identity identity, Instant now) {
    return new AgentRunState(
        identity,
        now,
        0,
        0,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public AgentRunState asked(Optional<ResolvedModel> by, Optional<String> withPrefix) {
    return new AgentRunState(
        identity, began, modelCalls + 1, toolCalls, empty, repairs, by, withPrefix, answer, ending);
  }

  public AgentRunState calling(int tools) {
    return new AgentRunState(
        identity, began, modelCalls, toolCalls + tools, 0, repairs, model, prefix, answer, ending);
  }

  public AgentRunState withEmptyReply() {
    return new AgentRunState(
        identity, began, modelCalls, toolCalls, empty + 1, repairs, model, prefix, answer, ending);
  }

  public AgentRunState repaired() {
    return new AgentRunState(
        identity, began, modelCalls, toolCalls, 0, repairs + 1, model, prefix, answer, ending);
  }

  public AgentRunState answered(Json value) {
    return new AgentRunState(
        identity,
        began,
        modelCalls,
        toolCalls,
        0,
        repairs,
        model,
        prefix,
        Optional.of(value),
        ending);
  }

  public AgentRunState ended(StopReason reason, String text, Optional<String> code) {
    var end = Optional.of(new Ending(reason, text, code));
    return new AgentRunState(
        identity, began, modelCalls, toolCalls, empty, repairs, model, prefix, answer, end);
  }
}
