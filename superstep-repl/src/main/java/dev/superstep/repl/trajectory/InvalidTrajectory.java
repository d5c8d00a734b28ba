package dev.superstep.repl.trajectory;

import dev.superstep.json.SuperstepException;

/// A file is no [Trajectory]: it has another form.
public final class InvalidTrajectory extends SuperstepException {
  private static final long serialVersionUID = 1;

  InvalidTrajectory(String why) {
    super(
        "repl.invalid-trajectory",
        "The file is no trajectory: " + why + ". Take one that Trajectory.write has written.");
  }
}
