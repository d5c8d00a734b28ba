package dev.superstep.example.guide.deep;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.deep.DeepAgent;
import dev.superstep.deep.SubAgent;
import dev.superstep.files.FileTree;
import dev.superstep.files.ThreadFiles;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.skills.Skills;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A deep agent that researches. The model is scripted.
public final class Researcher {
  record Words(String words) {}

  private Researcher() {}

  static Agent<String> agent(ChatModel model, Tool search, Path skills, Store store) {
    return DeepAgent.named("researcher")
        .model(model)
        .instructions("Answer with a short report that names its sources.")
        .tools(search)
        .subAgent(
            SubAgent.named("critic", "Reads a draft and says what is wrong with it.")
                .instructions("Be strict. Claims without a source are wrong."))
        .skills(Skills.in(skills))
        .memories(FileTree.in(store, Namespace.of("memories", "ana")))
        .budget(Budget.unlimited().totalTokens(500_000))
        .build();
  }

  static String report(Agent<String> agent, RunOptions options) throws InterruptedException {
    agent.run("How tall is the tower? Write it to report.md.", options);
    var state = agent.graph().state(options).orElseThrow().state();
    return ThreadFiles.of(state).read("report.md").text();
  }

  /// Searches, writes the report, has it checked by the critic, and answers.
  private static ChatModel model() {
    var report = "{\"path\":\"report.md\",\"text\":\"330 metres (tower.example)\"}";
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "search", "{\"words\":\"tower\"}")),
        ScriptedModel.calls(new ToolCall("c2", "write_file", report)),
        ScriptedModel.calls(new ToolCall("c3", "critic", "{\"task\":\"Check report.md.\"}")),
        ScriptedModel.calls(new ToolCall("s1", "read_file", "{\"path\":\"report.md\"}")),
        ScriptedModel.text("It is right."),
        ScriptedModel.text("The report is in report.md."));
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var search =
        Tool.of("search", "Searches.", Words.class, (_, _) -> "330 metres (tower.example)")
            .withPolicy(ToolPolicy.readOnly());
    var skills = Files.createTempDirectory("skills");
    var agent = agent(model(), search, skills, InMemoryStore.open());
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    System.out.println("report.md: " + report(agent, options));
  }
}
