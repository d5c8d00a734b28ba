package dev.superstep.terminal;

import dev.superstep.json.SuperstepException;

/// An approval that was not given in the way that was asked for. Nothing was started.
public final class NotApproved extends SuperstepException {
  NotApproved(String reason) {
    super("terminal.not-approved", reason);
  }
}
