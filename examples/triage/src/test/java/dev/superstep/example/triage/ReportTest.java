package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.NodeFailed;
import dev.superstep.example.triage.Triage.Category;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome.Completed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    var inbox = thanks();
    var out = folder.resolve("out");
    var inTheWay = Files.createDirectories(out.resolve("report.md/x"));
    var model = Replies.gullible();
    var desk = Desk.with(model, out);

    assertThatThrownBy(() -> desk.start(inbox))
        .isInstanceOf(NodeFailed.class)
        .hasCauseInstanceOf(ReportNotWritten.class)
        .hasMessageContaining("report.md cannot be written");
    assertThat(names(out)).as("what was there, nothing aside").containsExactly("report.md");
    assertThat(inTheWay).isDirectory();

    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    assertThat(desk.resume(Answers.none())).isInstanceOf(Completed.class);
    assertThat(desk.report()).startsWith("# Triage of in");
    assertThat(model.calls()).isEqualTo(1);
    assertThat(names(out)).as("nothing is left aside").containsExactly("report.md");
  }

  @ParameterizedTest
  @ValueSource(strings = {"report.md", "report.md.part"})
  void a_planted_link_leads_nowhere(String name) throws Exception {
    var victim = Files.writeString(folder.resolve("victim"), "precious");
    var out = Files.createDirectories(folder.resolve("out"));
    Files.createSymbolicLink(out.resolve(name), victim);
    var desk = Desk.with(Replies.gullible(), out);
    assertThat(desk.start(thanks())).isInstanceOf(Completed.class);
    assertThat(victim).hasContent("precious");
    assertThat(out.resolve("report.md")).isRegularFile().isNotEmptyFile();
    assertThat(Files.isSymbolicLink(out.resolve("report.md"))).isFalse();
    assertThat(Files.getPosixFilePermissions(out.resolve("report.md")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void an_older_report_is_replaced() throws Exception {
    var out = Files.createDirectories(folder.resolve("out"));
    Files.writeString(out.resolve("report.md"), "the old one");
    var desk = Desk.with(Replies.gullible(), out);
    assertThat(desk.start(thanks())).isInstanceOf(Completed.class);
    assertThat(desk.report()).startsWith("# Triage of in");
  }

  @Test
  void with_nothing_classified_there_is_no_table_but_the_model_that_was_asked() throws Exception {
    var desk = Desk.with(ScriptedModel.by(_ -> ScriptedModel.text("I'd rather")), folder);
    assertThat(desk.start(thanks())).isInstanceOf(Completed.class);
    assertThat(desk.report())
        .contains("Without a reply of use from `scripted://test`: 1.", "## Not classified")
        .doesNotContain("## Messages", "| File", "Source", "StreamReadFeature");
  }

  private Path thanks() throws IOException {
    var inbox = Files.createDirectories(folder.resolve("in"));
    Files.writeString(inbox.resolve("m.txt"), "Thanks!");
    return inbox;
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
