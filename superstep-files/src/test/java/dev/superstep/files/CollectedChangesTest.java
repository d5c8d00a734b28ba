package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changes that are shown as one diff, and applied or dropped together.
@Timeout(60)
final class CollectedChangesTest {
  private final FileTree below = FileTree.inMemory();
  private final CollectedChanges changes = CollectedChanges.of(below);

  @BeforeEach
  void make() {
    below.write("keep.md", "same\n", Expected.absent());
    below.write("edit.md", "one\ntwo\nthree\n", Expected.absent());
    below.write("old.md", "gone\n", Expected.absent());
  }

  private void change() {
    changes.write("edit.md", "one\n2\nthree\n", Expected.anything());
    changes.write("new/file.md", "new", Expected.absent());
    changes.delete("old.md", Expected.anything());
  }

  @Test
  void the_files_below_stay_as_they_are_until_the_changes_are_applied() {
    change();

    assertThat(changes.read("edit.md").text()).isEqualTo("one\n2\nthree\n");
    assertThat(changes.find("old.md")).isEmpty();
    assertThat(FileTreeSuite.paths(changes, ""))
        .containsExactly("edit.md", "keep.md", "new/file.md");
    assertThat(FileTreeSuite.paths(below, "")).containsExactly("edit.md", "keep.md", "old.md");
    assertThat(below.read("edit.md").text()).isEqualTo("one\ntwo\nthree\n");

    assertThat(changes.apply()).hasSize(3);

    assertThat(below.read("edit.md").text()).isEqualTo("one\n2\nthree\n");
    assertThat(FileTreeSuite.paths(below, "")).containsExactly("edit.md", "keep.md", "new/file.md");
    assertThat(changes.changes()).isEmpty();
    assertThat(changes.diff()).isEmpty();
  }

  @Test
  void all_changes_are_one_unified_diff() {
    change();

    assertThat(changes.diff())
        .isEqualTo(
            """
            --- a/edit.md
            +++ b/edit.md
            @@ -1,3 +1,3 @@
             one
            -two
            +2
             three
            --- /dev/null
            +++ b/new/file.md
            @@ -0,0 +1,1 @@
            +new
            \\ No newline at end of file
            --- a/old.md
            +++ /dev/null
            @@ -1,1 +0,0 @@
            -gone
            """);
  }

  @Test
  void a_diff_is_one_that_git_applies(@TempDir Path folder) throws Exception {
    var texts = List.of("", "a", "a\n", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\r\nb", "\n\n", "- x\n@@\n");
    for (var before : texts) {
      for (var after : texts) {
        if (before.equals(after)) continue;
        Files.writeString(folder.resolve("f"), before);
        var diff = UnifiedDiff.of("f", Optional.of(before), Optional.of(after));
        Files.writeString(folder.resolve("diff"), diff);
        var git =
            new ProcessBuilder("git", "apply", "--unidiff-zero", "--whitespace=nowarn", "diff")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var told = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(git.waitFor()).as(diff + told).isZero();
        assertThat(Files.readString(folder.resolve("f"))).isEqualTo(after);
      }
    }
  }

  @Test
  void a_change_that_is_taken_back_is_none() {
    change();
    changes.write("edit.md", "one\ntwo\nthree\n", Expected.anything());
    changes.delete("new/file.md", Expected.anything());
    changes.write("old.md", "gone\n", Expected.absent());

    assertThat(changes.changes()).isEmpty();
  }

  @Test
  void nothing_is_applied_if_somebody_else_has_changed_one_of_the_files() {
    change();
    below.write("edit.md", "other\n", Expected.anything());

    assertThat(changes.conflicts()).containsExactly("edit.md");
    assertThatThrownBy(changes::apply)
        .isInstanceOfSatisfying(
            FileConflict.class, e -> assertThat(e.paths()).containsExactly("edit.md"));
    assertThatThrownBy(changes::diff).isInstanceOf(FileConflict.class);
    assertThat(FileTreeSuite.paths(below, "")).containsExactly("edit.md", "keep.md", "old.md");
    assertThat(changes.changes()).hasSize(3);

    changes.drop();

    assertThat(changes.read("edit.md").text()).isEqualTo("other\n");
  }

  @Test
  void what_was_applied_when_the_process_died_is_not_applied_twice() {
    change();
    // As if it had died after the first of three.
    below.write("edit.md", "one\n2\nthree\n", Expected.anything());

    assertThat(changes.apply()).hasSize(3);

    assertThat(below.find("old.md")).isEmpty();
    assertThat(below.read("new/file.md").text()).isEqualTo("new");
  }

  private static Agent<String> editor(CollectedChanges files, ScriptedModel model) {
    return Agent.named("editor").model(model).tools(FileTools.of(files)).build();
  }

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  @Test
  void a_person_approves_the_changes_of_an_agent_as_one_diff_in_another_process() throws Exception {
    var store = InMemoryStore.open();
    var notes = FileTree.in(store, Namespace.of("changes", "t-1"));
    var digest = below.read("edit.md").digest();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                call(
                    "c1",
                    "edit_file",
                    "{\"path\":\"edit.md\",\"digest\":\"%s\",\"old\":\"two\",\"replacement\":\"2\"}"
                        .formatted(digest))),
            ScriptedModel.calls(call("c2", "submit_changes", "{}")),
            ScriptedModel.text("done"));
    var options = RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer());

    var waiting = editor(CollectedChanges.keptIn(notes, below), model).run("Go.", options);

    assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
    var asked = ((AgentResult.Waiting<String>) waiting).questions().getFirst();
    assertThat(ProposedChanges.QUESTION.read(asked).diff()).contains("-two\n+2\n");
    assertThat(below.read("edit.md").text()).contains("two");

    var again = editor(CollectedChanges.keptIn(notes, below), model);
    var answers = Answers.to(ProposedChanges.QUESTION, Approval.yes());
    var done = again.resume(answers, options);

    assertThat(done.answer()).isEqualTo("done");
    assertThat(below.read("edit.md").text()).isEqualTo("one\n2\nthree\n");
  }

  @Test
  void an_approval_counts_for_the_diff_that_was_shown_and_no_other() throws Exception {
    changes.write("edit.md", "shown\n", Expected.anything());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "submit_changes", "{}")), ScriptedModel.text("done"));
    var options = RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer());
    var agent = editor(changes, model);
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
    var asked = waiting.questions().getFirst();
    changes.write("edit.md", "slipped in\n", Expected.anything());

    var answered =
        agent.resume(Answers.of(asked.id(), ProposedChanges.QUESTION, Approval.yes()), options);

    assertThat(answered).isInstanceOf(AgentResult.Waiting.class);
    var anew = ((AgentResult.Waiting<String>) answered).questions().getFirst();
    assertThat(ProposedChanges.QUESTION.read(anew).diff()).contains("slipped in");
    assertThat(below.read("edit.md").text()).contains("two");
  }

  @Test
  void changes_that_are_not_approved_stay_collected() throws Exception {
    change();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "submit_changes", "{}")), ScriptedModel.text("well"));
    var options = RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer());
    var agent = editor(changes, model);
    assertThat(agent.run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);

    var answers = Answers.to(ProposedChanges.QUESTION, Approval.no("Leave old.md."));
    assertThat(agent.resume(answers, options).answer()).isEqualTo("well");

    assertThat(model.requests().getLast().messages().toString()).contains("Leave old.md.");
    assertThat(changes.changes()).hasSize(3);
    assertThat(below.find("old.md")).isPresent();
  }
}
