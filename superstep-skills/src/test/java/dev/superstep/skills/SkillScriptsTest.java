package dev.superstep.skills;

import static dev.superstep.skills.SkillFiles.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import dev.superstep.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Scripts of skills.
@Timeout(120)
final class SkillScriptsTest {
  @TempDir Path temp;
  private Path skill;
  private Path root;
  private Skills skills;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    var real = temp.toRealPath();
    skill = SkillFiles.write(real.resolve("skills"), "counting", "Counts.", "Run count.sh.");
    SkillFiles.write(
        skill.resolve("scripts/count.sh"),
        "here=$(dirname \"$0\")\n"
            + "cat \"$here/../references/words\"\n"
            + "wc -l < \"$1\"\n"
            + "echo ok > made\n");
    SkillFiles.write(skill.resolve("references/words"), "lines:\n");
    root = Files.createDirectories(real.resolve("root"));
    Files.writeString(root.resolve("list.txt"), "a\nb\n");
    workspace = Workspace.at(root);
    skills = Skills.in(real.resolve("skills"));
    skills.confirm(skills.find("counting").orElseThrow());
  }

  private static ToolCall run(String script, String... arguments) {
    var words = List.of(arguments).stream().map(word -> "\"" + word + "\"").toList();
    return call(
        "c",
        "run_skill_script",
        "{\"skill\":\"counting\",\"script\":\"%s\",\"arguments\":[%s]}"
            .formatted(script, String.join(",", words)));
  }

  private static String result(Skills of, ToolCall call) throws Exception {
    return ToolBatch.of(Tools.of(of.tools())).run(List.of(call)).getFirst().text();
  }

  private Workspace in(Tier tier) {
    var sandbox = Sandbox.open();
    assumeTrue(
        sandbox.machine().isAvailable(tier), sandbox.machine().of(tier).missing().toString());
    return workspace.sandbox(sandbox, tier);
  }

  private Skills unapproved() {
    return skills.scriptsIn(in(Tier.LANDLOCK)).withoutApproval();
  }

  @Test
  void there_is_no_tool_for_scripts_unless_the_program_says_where_they_run() {
    assertThat(skills.tools()).noneMatch(tool -> tool.name().equals("run_skill_script"));
    var tool =
        skills.scriptsIn(workspace).tools().stream()
            .filter(one -> one.name().equals("run_skill_script"))
            .findFirst();
    assertThat(tool).hasValueSatisfying(one -> assertThat(one.policy().needsApproval()).isTrue());
  }

  @Test
  void a_person_approves_each_call_of_a_script() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(run("scripts/count.sh", "list.txt")), ScriptedModel.text("two"));
    var agent = Agent.named("clerk").model(model).middleware(skills.scriptsIn(workspace)).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

    var waiting = agent.run("Count.", options);
    assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
    assertThat(root.resolve("made")).doesNotExist();

    var open = ((AgentResult.Waiting<String>) waiting).questions();
    var approved = Review.decide(open, _ -> Review.Decision.approve());
    assertThat(agent.resume(approved, options).answer()).isEqualTo("two");
    assertThat(root.resolve("made")).hasContent("ok");
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo("exit code 0\nstdout:\nlines:\n2");
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void scripts_run_in_the_tier_of_the_workspace_and_read_their_own_skill(Tier tier)
      throws Exception {
    SkillFiles.write(
        skill.resolve("scripts/peek.sh"), "cat '%s'\n".formatted(temp.resolve("secret")));
    Files.writeString(temp.resolve("secret"), "not for you");
    skills.confirm(skills.find("counting").orElseThrow());
    var confined = skills.scriptsIn(in(tier)).withoutApproval();

    assertThat(result(confined, run("count.sh", "list.txt")))
        .isEqualTo("exit code 0\nstdout:\nlines:\n2");
    assertThat(root.resolve("made")).hasContent("ok");
    assertThat(result(confined, run("peek.sh")))
        .contains("exit code 1")
        .doesNotContain("not for you");
  }

  @Test
  void scripts_run_without_approval_in_a_sandbox_only() {
    assertThatThrownBy(() -> skills.scriptsIn(workspace).withoutApproval())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tier PROCESS is none");
  }

  @Test
  void a_script_that_was_changed_since_it_was_confirmed_does_not_run() throws Exception {
    SkillFiles.write(skill.resolve("scripts/count.sh"), "echo evil > made\n");

    assertThat(result(unapproved(), run("count.sh", "list.txt")))
        .contains("No person has confirmed it as it is now");
    assertThat(root.resolve("made")).doesNotExist();
  }

  @Test
  void a_script_cannot_change_the_skill() throws Exception {
    SkillFiles.write(
        skill.resolve("scripts/change.sh"), "echo evil > \"$(dirname \"$0\")/count.sh\"\n");
    var changed = skills.find("counting").orElseThrow();
    skills.confirm(changed);

    assertThat(result(unapproved(), run("change.sh"))).startsWith("exit code");

    assertThat(skills.find("counting").orElseThrow().digest()).isEqualTo(changed.digest());
  }

  @Test
  void only_scripts_of_the_skill_run_and_only_by_known_programs() throws Exception {
    SkillFiles.write(skill.resolve("scripts/odd.exe"), "x");
    SkillFiles.write(skill.resolve("scripts/odd.txt"), "echo by sh");
    skills.confirm(skills.find("counting").orElseThrow());
    var running = unapproved();

    for (var path : List.of("../../../bin/sh", "/bin/sh", "references/words", "none.sh", "")) {
      assertThat(result(running, run(path))).contains("has no script").contains("count.sh");
    }
    assertThat(result(running, run("odd.exe"))).contains("Nothing runs files that end with `.exe`");
    assertThat(result(running.running("txt", "sh"), run("odd.txt"))).contains("by sh");
  }

  @Test
  void arguments_are_words_and_never_a_line_of_a_shell() throws Exception {
    SkillFiles.write(skill.resolve("scripts/say.sh"), "printf '%s|' \"$@\"\n");
    skills.confirm(skills.find("counting").orElseThrow());

    assertThat(result(unapproved(), run("say.sh", "a b", "; touch made", "-c")))
        .contains("a b|; touch made|-c|");
    assertThat(root.resolve("made")).doesNotExist();
  }
}
