package dev.superstep.agent.run;

import dev.superstep.json.SuperstepException;
import dev.superstep.model.Usage;
import java.util.Locale;

/// An agent met one of its limits before it had an answer. On a stored thread it can be resumed
/// with a higher one.
public final class LimitReached extends SuperstepException {
  private final StopReason reason;
  private final int modelCalls;
  private final int toolCalls;
  private final long inputTokens;
  private final long outputTokens;

  /// An error for an agent at a limit.
  ///
  /// @param agent its name
  /// @param used the tokens of all its calls
  public LimitReached(StopReason reason, String agent, int modelCalls, int toolCalls, Usage used) {
    super(
        "agent." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        """
        Agent `%s` reached its %s after %d model calls and %d tool calls (%d input, %d output \
        tokens). Raise the limit, or set onLimit(RETURN_PARTIAL).\
        """
            .formatted(
                agent,
                reason.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                modelCalls,
                toolCalls,
                used.input(),
                used.output()));
    this.reason = reason;
    this.modelCalls = modelCalls;
    this.toolCalls = toolCalls;
    this.inputTokens = used.input();
    this.outputTokens = used.output();
  }

  /// Which limit.
  public StopReason reason() {
    return reason;
  }

  /// The number of turns of the model.
  public int modelCalls() {
    return modelCalls;
  }

  /// The number of answered tool calls.
  public int toolCalls() {
    return toolCalls;
  }

  /// The tokens of all prompts.
  public long inputTokens() {
    return inputTokens;
  }

  /// The tokens of all answers.
  public long outputTokens() {
    return outputTokens;
  }
}
