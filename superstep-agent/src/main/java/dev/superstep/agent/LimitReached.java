package dev.superstep.agent;

import dev.superstep.json.SuperstepException;
import java.util.Locale;

/// An agent met one of its limits before it had an answer. On a thread that is kept it can be
/// resumed with a higher one.
public final class LimitReached extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final StopReason reason;
  private final int modelCalls;
  private final int toolCalls;
  private final long inputTokens;
  private final long outputTokens;

  LimitReached(StopReason reason, AgentContext at) {
    super(
        "agent." + reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        """
        Agent `%s` reached its %s after %d model calls and %d tool calls (%d input, %d output \
        tokens). Raise the limit, or set onLimit(RETURN_PARTIAL).\
        """
            .formatted(
                at.agent(),
                reason.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                at.modelCalls(),
                at.toolCalls(),
                at.usage().input(),
                at.usage().output()),
        null);
    this.reason = reason;
    this.modelCalls = at.modelCalls();
    this.toolCalls = at.toolCalls();
    this.inputTokens = at.usage().input();
    this.outputTokens = at.usage().output();
  }

  /// Which limit.
  public StopReason reason() {
    return reason;
  }

  /// How often the model was asked.
  public int modelCalls() {
    return modelCalls;
  }

  /// How many tool calls were answered.
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
