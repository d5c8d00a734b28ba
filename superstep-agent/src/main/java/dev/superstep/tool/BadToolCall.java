package dev.superstep.tool;

import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;

/// A model called a tool that does not exist, or with arguments that it does not take, and the
/// policy is to fail.
public final class BadToolCall extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String tool;
  private final String callId;

  BadToolCall(ToolCall call, String why) {
    super("tool.bad-call", "Call `" + call.id() + "` of tool `" + call.tool() + "`: " + why, null);
    this.tool = call.tool();
    this.callId = call.id();
  }

  /// The name that the model used.
  public String tool() {
    return tool;
  }

  /// The id that the model gave the call.
  public String callId() {
    return callId;
  }
}
