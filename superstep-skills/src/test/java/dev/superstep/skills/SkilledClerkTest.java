package dev.superstep.skills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The program of the guide about skills.
@Timeout(60)
final class SkilledClerkTest {
  @TempDir Path folder;

  private static ScriptedModel model() {
    return ScriptedModel.replying(
        ScriptedModel.calls(SkillFiles.load("c1", "word-count")),
        ScriptedModel.calls(
            SkillFiles.call(
                "c2",
                "run_skill_script",
                """
                {"skill":"word-count","script":"scripts/count.sh","arguments":["text.md"]}\
                """)),
        ScriptedModel.text("5"));
  }

  @Test
  void a_person_is_asked_once_for_the_skill_and_for_each_call_of_its_script() throws Exception {
    var workspace = Workspace.at(Files.createDirectory(folder.resolve("work")));
    workspace.write("text.md", "It was a dark night.\n");
    var confirmed = folder.resolve("confirmed.json");
    var skills = Path.of("src/test/skills");
    var store = new InMemoryCheckpointer();

    var first = model();
    assertThat(
            SkilledClerk.ask(
                SkilledClerk.agent(first, skills, confirmed, workspace),
                "How long is text.md?",
                RunOptions.thread("a").checkpoints(store)))
        .satisfiesExactly(
            confirm ->
                assertThat(confirm)
                    .startsWith("Confirm [SKILL.md (")
                    .contains("scripts/count.sh (35 bytes)"),
            run -> assertThat(run).isEqualTo("Run the script?"),
            answer -> assertThat(answer).isEqualTo("5"));
    assertThat(first.requests().getLast().messages().getLast().text())
        .isEqualTo("exit code 0\nstdout:\n5");

    // Another thread: the skill is confirmed, and its script is approved again.
    assertThat(
            SkilledClerk.ask(
                SkilledClerk.agent(model(), skills, confirmed, workspace),
                "How long is text.md?",
                RunOptions.thread("b").checkpoints(store)))
        .containsExactly("Run the script?", "5");
  }
}
