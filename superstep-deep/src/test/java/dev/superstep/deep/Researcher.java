package dev.superstep.deep;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.files.FileTree;
import dev.superstep.files.ThreadFiles;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.skills.Skills;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.tool.Tool;
import java.nio.file.Path;

/// The program of the guide: a deep agent that researches.
final class Researcher {
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
}
