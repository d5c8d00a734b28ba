package dev.superstep.goal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.board.TaskStatus;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The statuses that are demanded of goals and tasks; that each is reached is shown beside them.
@Tag("T107")
class StatedStatusesTest {
  @Test
  void goals_and_tasks_have_the_stated_statuses() {
    assertThat(Arrays.stream(GoalStatus.values()).map(Enum::name))
        .containsExactly("ACTIVE", "PAUSED", "BUDGET_LIMITED", "COMPLETE");
    assertThat(Arrays.stream(TaskStatus.values()).map(Enum::name))
        .containsExactly(
            "TODO", "AWAITING_APPROVAL", "READY", "IN_PROGRESS", "BLOCKED", "DONE", "REJECTED");
  }
}
