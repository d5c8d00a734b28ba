package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.RecordedModel;
import dev.superstep.node.Approval;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole job on the inbox that is shipped, with what gemma3-270m really said to it.
class RecordedRunTest {
  static final Path RECORDING = Path.of("recorded/gemma3-270m.jsonl");

  @TempDir Path folder;

  @Test
  void the_inbox_that_is_shipped_gives_the_report_that_is_shown() throws Exception {
    var desk = Desk.with(RecordedModel.open(RECORDING), folder);
    var done =
        desk.finish(
            Desk.INBOX,
            question ->
                Desk.file(question).startsWith("11") ? Approval.no("Fraud.") : Approval.yes());
    assertThat(new TriageProgram().summary(done.state())).contains("12 classified");
    Golden.check("report.md", desk.report());
  }
}
