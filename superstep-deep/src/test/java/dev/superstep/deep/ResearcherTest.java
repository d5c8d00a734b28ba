package dev.superstep.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
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
import dev.superstep.tool.ToolResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A deep agent that researches, with a critic.
@Timeout(60)
final class ResearcherTest {
  @TempDir Path skills;

  record Words(String words) {}

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  private static Agent<String> agent(ChatModel model, Tool search, Path skills, Store store) {
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

  private static String report(Agent<String> agent, RunOptions options)
      throws InterruptedException {
    agent.run("How tall is the tower? Write it to report.md.", options);
    var state = agent.graph().state(options).orElseThrow().state();
    return ThreadFiles.of(state).read("report.md").text();
  }

  @Test
  void a_report_is_written_checked_and_read_by_the_program() throws Exception {
    var search =
        Tool.of(
                "search",
                "Searches.",
                Words.class,
                (_, _) -> ToolResult.of("330 metres (tower.example)"))
            .withPolicy(ToolPolicy.readOnly());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "search", "{\"words\":\"tower\"}")),
            ScriptedModel.calls(
                call(
                    "c2",
                    "write_file",
                    "{\"path\":\"report.md\",\"text\":\"330 metres (tower.example)\"}")),
            ScriptedModel.calls(call("c3", "critic", "{\"task\":\"Check report.md.\"}")),
            ScriptedModel.calls(call("s1", "read_file", "{\"path\":\"report.md\"}")),
            ScriptedModel.text("It is right."),
            ScriptedModel.text("The report is in report.md."));
    var agent = agent(model, search, skills, InMemoryStore.open());
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

    assertThat(report(agent, options)).isEqualTo("330 metres (tower.example)");
    assertThat(model.requests().get(4).messages().getLast().text())
        .contains("330 metres (tower.example)");
  }
}
