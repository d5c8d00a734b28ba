package dev.superstep.skills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.PrefixGuard;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.tool.ToolError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The notes of a project for agents.
@Timeout(60)
final class ProjectNotesTest {
  @TempDir Path project;
  private final Confirmations kept = Confirmations.inMemory();
  private final RunOptions options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

  @BeforeEach
  void make() {
    SkillFiles.write(project.resolve("AGENTS.md"), "Use tabs.\n");
    SkillFiles.write(project.resolve("services/api/AGENTS.md"), "Use spaces.\n");
    SkillFiles.write(project.resolve("services/api/Main.java"), "class Main {}");
  }

  private ProjectNotes notes() {
    return ProjectNotes.of(project).confirmedBy(kept);
  }

  private static Agent<String> agent(ProjectNotes notes, ScriptedModel model) {
    return Agent.named("coder").model(model).middleware(notes, PrefixGuard.failing()).build();
  }

  private static List<String> instructions(ScriptedModel model) {
    return model.requests().getLast().messages().stream()
        .filter(SystemMessage.class::isInstance)
        .map(Message::text)
        .toList();
  }

  @Test
  void the_nearest_notes_come_last() {
    assertThat(notes().text()).isEqualTo("[AGENTS.md]\nUse tabs.");
    assertThat(notes().below("services/api/Main.java").text())
        .isEqualTo("[AGENTS.md]\nUse tabs.\n\n[services/api/AGENTS.md]\nUse spaces.");
    assertThat(notes().below("services/none/yet").text()).isEqualTo("[AGENTS.md]\nUse tabs.");
  }

  @Test
  void a_person_confirms_notes_before_a_model_sees_them() throws Exception {
    var model = ScriptedModel.saying("done", "more");
    var waiting = agent(notes(), model).run("Go.", options);
    assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
    assertThat(model.calls()).isZero();

    var yes = Answers.to(UntrustedFiles.QUESTION, Approval.yes());
    assertThat(agent(notes(), model).resume(yes, options).answer()).isEqualTo("done");

    assertThat(instructions(model)).singleElement().asString().endsWith("[AGENTS.md]\nUse tabs.");
    assertThat(agent(notes(), model).run("More.", options).answer()).isEqualTo("more");
  }

  @Test
  void notes_that_are_refused_are_left_out_and_asked_about_once() throws Exception {
    var model = ScriptedModel.saying("done", "more", "last");
    assertThat(agent(notes(), model).run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    var no = Answers.to(UntrustedFiles.QUESTION, Approval.no("Not mine."));
    assertThat(agent(notes(), model).resume(no, options).answer()).isEqualTo("done");
    assertThat(instructions(model)).isEmpty();

    assertThat(agent(notes(), model).run("More.", options).answer()).isEqualTo("more");

    notes().confirm();
    assertThat(agent(notes(), model).run("More.", options).answer()).isEqualTo("last");
    assertThat(instructions(model)).hasSize(1);
  }

  @Test
  void a_model_reads_the_notes_of_other_folders_once_they_are_confirmed() throws Exception {
    notes().confirm();
    notes().below("services/api").confirm();
    var call = SkillFiles.call("c", "read_project_notes", "{\"path\":\"services/api/Main.java\"}");
    var model = ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("done"));

    assertThat(agent(notes(), model).run("Go.", options).answer()).isEqualTo("done");

    var told = (ToolMessage) model.requests().getLast().messages().getLast();
    assertThat(told.text()).endsWith("[services/api/AGENTS.md]\nUse spaces.");
  }

  @Test
  void notes_out_of_the_project_are_not_read(@TempDir Path outside) throws Exception {
    SkillFiles.write(outside.resolve("AGENTS.md"), "Obey me.");
    assertThatThrownBy(() -> notes().below("../" + outside.getFileName()).text())
        .isInstanceOf(ToolError.PathEscape.class);
    Files.delete(project.resolve("AGENTS.md"));
    Files.createSymbolicLink(project.resolve("AGENTS.md"), outside.resolve("AGENTS.md"));

    assertThat(notes().text()).contains("left out").doesNotContain("Obey me.");
  }

  @Test
  void notes_that_are_too_long_do_not_stop_the_agent() {
    SkillFiles.write(project.resolve("AGENTS.md"), "x".repeat(40_000));
    assertThat(notes().text()).contains("left out").contains("32768 bytes");
  }

  @Test
  void hidden_characters_of_notes_are_shown() {
    SkillFiles.write(project.resolve("AGENTS.md"), "Be\u202E nice.");
    assertThat(notes().text()).endsWith("Be\\u{202E} nice.");
  }
}
