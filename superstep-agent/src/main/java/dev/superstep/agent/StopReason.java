package dev.superstep.agent;

/// Why an agent stopped.
public enum StopReason {
  /// The model gave an answer without tool calls.
  ANSWERED(false),
  /// The answer was cut off at the model's token limit.
  CUT_OFF(false),
  /// The vendor's filter stopped the answer.
  FILTERED(false),
  /// The agent has no model calls left.
  MODEL_CALL_LIMIT(true),
  /// The model asks for more tool calls than the agent has left.
  TOOL_CALL_LIMIT(true),
  /// The agent's time is over.
  TIME_LIMIT(true);

  private final boolean limit;

  StopReason(boolean limit) {
    this.limit = limit;
  }

  /// Whether a limit of the agent stopped it.
  public boolean isLimit() {
    return limit;
  }
}
