package dev.superstep.example.guide.deep;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.skills.Confirmations;
import dev.superstep.skills.Skills;
import dev.superstep.skills.UntrustedFiles;
import dev.superstep.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// An agent with a skill that has a script. A person confirms the skill, and approves each call of
/// its script. The model is scripted.
public final class SkilledClerk {
  private SkilledClerk() {}

  static Agent<String> agent(ChatModel model, Path skills, Path confirmed, Workspace workspace) {
    return Agent.named("clerk")
        .model(model)
        .instructions("Help with texts.")
        .middleware(Skills.in(skills).confirmedBy(Confirmations.in(confirmed)).scriptsIn(workspace))
        .build();
  }

  /// Runs the agent; returns what a person was asked, then the answer.
  static List<String> ask(Agent<String> agent, String question, RunOptions options)
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

  private static ChatModel model() {
    var script =
        "{\"skill\":\"word-count\",\"script\":\"scripts/count.sh\",\"arguments\":[\"text.md\"]}";
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "load_skill", "{\"skill\":\"word-count\"}")),
        ScriptedModel.calls(new ToolCall("c2", "run_skill_script", script)),
        ScriptedModel.text("5"));
  }

  /// Writes the skill `word-count` into a folder of skills.
  private static void writeSkill(Path skills) throws IOException {
    var folder = skills.resolve("word-count");
    Files.createDirectories(folder.resolve("references"));
    Files.createDirectories(folder.resolve("scripts"));
    Files.writeString(
        folder.resolve("SKILL.md"),
        """
        ---
        name: word-count
        description: Counts the words of texts. Use it when somebody asks how long a text is.
        license: Apache-2.0
        metadata:
          version: "1.0"
        ---
        # Word count

        1. Run `scripts/count.sh` with the path of the text.
        2. Answer as `references/style.md` says.
        """);
    Files.writeString(
        folder.resolve("references/style.md"), "Give the number, and nothing else.\n");
    var script =
        Files.writeString(
            folder.resolve("scripts/count.sh"), "#!/bin/sh\nwc -w < \"$1\" | tr -d ' '\n");
    if (!script.toFile().setExecutable(true)) throw new IOException(script + " cannot be run");
  }

  public static void main(String[] args) throws Exception {
    var folder = Files.createTempDirectory("clerk").toRealPath();
    var skills = folder.resolve("skills");
    writeSkill(skills);
    var workspace = Workspace.at(Files.createDirectory(folder.resolve("work")));
    workspace.write("text.md", "It was a dark night.\n");

    var store = new InMemoryCheckpointer();
    for (var thread : List.of("first", "second")) {
      var agent = agent(model(), skills, folder.resolve("confirmed.json"), workspace);
      var options = RunOptions.thread(thread).checkpoints(store);
      ask(agent, "How long is text.md?", options).forEach(System.out::println);
    }
  }
}
