package dev.superstep.middleware;

import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;

/// A tool failed in all attempts at a call, and [RetryingTools] is set to throw then.
public final class ToolKeptFailing extends SuperstepException {
  private final String tool;
  private final int attempts;

  ToolKeptFailing(ToolCall call, int attempts, String why) {
    super(
        "tool.kept-failing",
        """
        Call `%s` of tool `%s` failed in all %d attempts: %s. Put right what the tool needs and \
        resume, or leave out throwing() to show the model the error.\
        """
            .formatted(call.id(), call.tool(), attempts, why));
    this.tool = call.tool();
    this.attempts = attempts;
  }

  /// The name of the tool.
  public String tool() {
    return tool;
  }

  /// The number of attempts.
  public int attempts() {
    return attempts;
  }
}
