package dev.superstep.terminal.state;

import dev.superstep.json.SuperstepException;

/// An event that is not possible where the conversation stands. Nothing has changed.
public final class IllegalTransition extends SuperstepException {
  public IllegalTransition(String reason) {
    super("terminal.illegal-transition", reason);
  }
}
