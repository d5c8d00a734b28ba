package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;

/// Ends an agent with an answer of the program's own when it has asked its model so often, in a run
/// or in a thread over all its runs. [dev.superstep.agent.AgentBuilder#modelCalls] holds beside it.
///
/// ```java
/// ModelCallLimit.perThread(200).answering("Let us talk to a person from here on.")
/// ```
///
/// Immutable, safe for many threads; the methods return changed copies.
public final class ModelCallLimit implements Middleware {
  private final boolean isOfThread;
  private final int most;
  private final Optional<String> answer;

  private ModelCallLimit(boolean isOfThread, int most, Optional<String> answer) {
    this.isOfThread = isOfThread;
    this.most = most;
    this.answer = answer;
  }

  /// At most so many turns in a run.
  public static ModelCallLimit perRun(int most) {
    return of(false, SettingChecks.atLeast(1, "perRun", most));
  }

  /// At most so many turns in a thread.
  public static ModelCallLimit perThread(int most) {
    return of(true, SettingChecks.atLeast(1, "perThread", most));
  }

  private static ModelCallLimit of(boolean isOfThread, int most) {
    var text = "Stopped after %d model calls.".formatted(most);
    return new ModelCallLimit(isOfThread, most, Optional.of(text));
  }

  /// The answer that the agent ends with.
  public ModelCallLimit answering(String text) {
    return new ModelCallLimit(
        isOfThread, most, Optional.of(SettingChecks.notBlank("answering", text)));
  }

  /// Ends the agent as its own limits do: [dev.superstep.agent.run.OnLimit].
  public ModelCallLimit failing() {
    return new ModelCallLimit(isOfThread, most, Optional.empty());
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(CallCounts.CHANNEL);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    int made = isOfThread ? CallCounts.of(context).models() : context.modelCalls();
    if (made >= most) end(StopReason.MODEL_CALL_LIMIT, answer, name(), context);
    return request;
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    context.write(CallCounts.CHANNEL, CallCounts.of(context).and(reply));
    return reply;
  }

  /// Ends with an answer, or as the agent's limits do.
  static void end(StopReason reason, Optional<String> answer, String by, AgentContext context) {
    if (answer.isEmpty()) {
      context.control(new Control.Fail(reason), by);
      return;
    }
    context.emit(
        new AgentEvent.LimitMet(
            context.agent(), reason, context.modelCalls(), context.toolCalls()));
    context.control(new Control.StopWith(answer.get()), by);
  }

  @Override
  public String toString() {
    return "ModelCallLimit[" + most + (isOfThread ? " per thread]" : " per run]");
  }
}
