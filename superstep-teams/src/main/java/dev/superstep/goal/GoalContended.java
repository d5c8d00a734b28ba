package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// A change of a goal failed, because too many others changed the goal at the same time.
public final class GoalContended extends SuperstepException {
  GoalContended(String thread, int tries) {
    super(
        "goal.contended",
        "The goal of thread `%s` was changed by others during each of %d attempts to change it. Try again."
            .formatted(thread, tries));
  }
}
