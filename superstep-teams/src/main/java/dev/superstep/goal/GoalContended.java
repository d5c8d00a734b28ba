package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// So many others changed a goal at the same time that a change never came about.
public final class GoalContended extends SuperstepException {
  GoalContended(String thread, int tries) {
    super(
        "goal.contended",
        "The goal of thread `%s` was changed by others during each of %d attempts to change it. Try again."
            .formatted(thread, tries));
  }
}
