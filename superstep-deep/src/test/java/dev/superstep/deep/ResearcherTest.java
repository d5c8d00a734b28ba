package dev.superstep.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The program of the guide about deep agents.
@Timeout(60)
final class ResearcherTest {
  @TempDir Path skills;

  record Words(String words) {}

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
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
    var agent = Researcher.agent(model, search, skills, InMemoryStore.open());
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());

    assertThat(Researcher.report(agent, options)).isEqualTo("330 metres (tower.example)");
    assertThat(model.requests().get(4).messages().getLast().text())
        .contains("330 metres (tower.example)");
  }
}
