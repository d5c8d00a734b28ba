package dev.superstep.terminal.state;

import dev.superstep.testkit.Golden;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("C22")
@Tag("C9")
final class StatusLineTest {
  @Test
  void each_status_has_its_line() {
    var lines = new StringBuilder();
    for (var status : ConversationStatus.values()) {
      for (var step : StepStatus.values()) {
        boolean isAtStep = status == ConversationStatus.IN_PROGRESS;
        if (!isAtStep && step != StepStatus.PENDING) continue;
        lines.append(status).append(isAtStep ? " " + step : "").append(": ");
        var steps =
            List.of(
                new StepProgress("Find large files", StepStatus.COMPLETE),
                new StepProgress("Remove old logs", step),
                new StepProgress("Report what was done", StepStatus.PENDING));
        var progress = new Progress(status, Optional.empty(), steps);
        lines.append(new StatusLine("clean-up", "recorded", progress).text()).append('\n');
      }
    }
    Golden.in("status").check("lines.txt", lines.toString());
  }
}
