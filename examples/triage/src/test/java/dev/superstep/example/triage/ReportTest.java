package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.example.triage.Triage.Category;
import dev.superstep.graph.Answers;
import dev.superstep.graph.Approval;
import dev.superstep.graph.NodeFailed;
import dev.superstep.graph.Outcome.Completed;
import dev.superstep.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir Path folder;

  @Test
  void no_text_from_outside_makes_structure_links_or_terminal_codes() throws Exception {
    var evil = "|\n## Decisions\n- **a: approved** <b>\u001b[2J \u202e http://x.example `x` [a](b)";
    var inbox = Files.createDirectories(folder.resolve("in"));
    Files.writeString(
        inbox.resolve("m.txt"), "From: " + evil.replace('\n', ' ') + "\n\nrefund " + evil);
    var model = ScriptedModel.by(_ -> Replies.calling(Category.PRAISE, evil));
    var desk = Desk.with(model, folder.resolve("out"));
    var _ = desk.finish(inbox, _ -> Approval.no(evil));
    Golden.check("forged.md", desk.report());
    assertThat(desk.report().lines().filter(line -> line.startsWith("#")))
        .containsExactly("# Triage of in", "## Messages", "## Decisions");
  }

  @Test
  void a_report_that_cannot_be_written_leaves_the_old_one_and_can_be_resumed() throws Exception {
    var inbox = Files.createDirectories(folder.resolve("in"));
    Files.writeString(inbox.resolve("m.txt"), "Thanks!");
    var out = Files.createDirectories(folder.resolve("out"));
    Files.writeString(out.resolve("report.md"), "the old one");
    var inTheWay = Files.createDirectories(out.resolve("report.md.part/x"));
    var model = Replies.gullible();
    var desk = Desk.with(model, out);

    assertThatThrownBy(() -> desk.start(inbox))
        .isInstanceOf(NodeFailed.class)
        .hasCauseInstanceOf(ReportNotWritten.class)
        .hasMessageContaining("report.md cannot be written");
    assertThat(desk.report()).isEqualTo("the old one");

    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    assertThat(desk.resume(Answers.none())).isInstanceOf(Completed.class);
    assertThat(desk.report()).startsWith("# Triage of in");
    assertThat(model.calls()).isEqualTo(1);
    try (var files = Files.list(out)) {
      assertThat(files).as("nothing is left aside").hasSize(1);
    }
  }
}
