package dev.superstep.skills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An agent with a skill that a person confirms, and with a script that a person approves.
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

  private static Agent<String> agent(
      ChatModel model, Path skills, Path confirmed, Workspace workspace) {
    return Agent.named("clerk")
        .model(model)
        .instructions("Help with texts.")
        .middleware(Skills.in(skills).confirmedBy(Confirmations.in(confirmed)).scriptsIn(workspace))
        .build();
  }

  /// Runs the agent; returns what a person was asked, then the answer.
  private static List<String> ask(Agent<String> agent, String question, RunOptions options)
      throws InterruptedException {
    var told = new ArrayList<String>();
    var result = agent.run(question, options);
    while (result instanceof AgentResult.Waiting<String>(var questions)) {
      var open = questions.getFirst();
      if (open.question().equals(UntrustedFiles.QUESTION.name())) {
        var files = UntrustedFiles.QUESTION.read(open);
        told.add("Confirm " + files.files() + "?");
        result = agent.resume(Answers.to(UntrustedFiles.QUESTION, Approval.yes()), options);
      } else {
        told.add("Run the script?");
        var approved = Review.decide(questions, _ -> Review.Decision.approve());
        result = agent.resume(approved, options);
      }
    }
    told.add(result.answer());
    return told;
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
            ask(
                agent(first, skills, confirmed, workspace),
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
            ask(
                agent(model(), skills, confirmed, workspace),
                "How long is text.md?",
                RunOptions.thread("b").checkpoints(store)))
        .containsExactly("Run the script?", "5");
  }
}
