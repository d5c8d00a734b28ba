package dev.superstep.agent.run;

/// Why an agent stopped.
public enum StopReason {
  /// The model gave an answer without tool calls.
  ANSWERED(false),
  /// A tool gave the answer.
  TOOL_ANSWERED(false),
  /// A middleware gave the answer.
  STOPPED(false),
  /// The answer was cut off at the model's token limit.
  CUT_OFF(false),
  /// The vendor's filter stopped the answer.
  FILTERED(false),
  /// The agent has no model calls left.
  MODEL_CALL_LIMIT(true),
  /// The model asks for more tool calls than the agent has left.
  TOOL_CALL_LIMIT(true),
  /// The agent's time is over.
  TIME_LIMIT(true),
  /// The next call might go over the budget.
  BUDGET_LIMIT(true),
  /// Too many agents are nested.
  DEPTH_LIMIT(true),
  /// Somebody cancelled it.
  CANCELLED(true),
  /// It failed, and the agent that called it gets an error.
  FAILED(true);

  private final boolean limit;

  StopReason(boolean limit) {
    this.limit = limit;
  }

  /// Returns true if the agent was stopped before it had an answer.
  public boolean isLimit() {
    return limit;
  }
}
