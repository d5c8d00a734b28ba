package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Drain;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Outcome;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An agent is drained while an agent that it called, or a flow that is its tool, is at work.
@Tag("G26")
@Timeout(60)
class DrainedAgentTest {
  record Note(String text) {}

  record Noted(String text) {}

  @TempDir Path folder;

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final Drain drain = new Drain();

  private static ToolCall task(String id, String agent) {
    return new ToolCall(id, agent, "{\"task\":\"work\"}");
  }

  private static ToolCall note(String id, String text) {
    return new ToolCall(id, "note", "{\"text\":\"" + text + "\"}");
  }

  private Tool noting() {
    return Tool.of(
        "note",
        "Notes.",
        Note.class,
        (note, _) -> {
          if (note.text().equals("second")) drain.start();
          done.add(note.text());
          return "noted " + note.text();
        });
  }

  private static void drained(AgentResult<String> result) {
    assertThat(result).isEqualTo(new AgentResult.Stopped<String>(Outcome.Reason.DRAINED));
  }

  private void calls(Checkpointer store, Durability durability) throws Exception {
    var clerking =
        ScriptedModel.replying(
            ScriptedModel.calls(note("n1", "first")),
            ScriptedModel.calls(note("n2", "second")),
            ScriptedModel.calls(note("n3", "third")),
            ScriptedModel.text("All noted."));
    var clerk = Agent.named("clerk").model(clerking).tools(noting()).build();
    var heading =
        ScriptedModel.replying(
            ScriptedModel.calls(task("c1", "clerk")), ScriptedModel.text("It is noted."));
    var head = Agent.named("head").model(heading).agent(clerk, "Notes things.").build();
    var bossing =
        ScriptedModel.replying(
            ScriptedModel.calls(task("h1", "head"), note("b1", "own")),
            ScriptedModel.text("Done."));
    var boss = Agent.named("boss").model(bossing).agent(head, "Leads.").tools(noting()).build();
    var options = RunOptions.thread("t").checkpoints(store).durability(durability);
    drained(boss.run("Go.", options.drain(drain)));
    assertThat(clerking.requests()).hasSize(2);
    assertThat(done).containsExactlyInAnyOrder("own", "first", "second");
    assertThat(boss.resume(Answers.none(), options).answer()).isEqualTo("Done.");
    assertThat(done).containsExactlyInAnyOrder("own", "first", "second", "third");
    assertThat(clerking.requests()).hasSize(4);
    assertThat(heading.requests()).hasSize(2);
    assertThat(bossing.requests()).hasSize(2);
    assertThat(bossing.requests().getLast().messages())
        .extracting(message -> message.text())
        .endsWith("It is noted.", "noted own");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_drained_sub_agent_two_levels_deep_resumes_between_two_turns(Durability durability)
      throws Exception {
    calls(new InMemoryCheckpointer(), durability);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_sub_agent_loaded_from_a_file_resumes_between_two_turns(Durability durability)
      throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      calls(store, durability);
    }
  }

  @Test
  void a_drained_flow_tool_resumes_between_two_steps() throws Exception {
    var flow =
        Flow.named("noting", Note.class, Noted.class)
            .work(
                Note.class,
                String.class,
                (note, _) -> {
                  drain.start();
                  done.add("first " + note.text());
                  return note.text();
                })
            .work(
                String.class,
                Noted.class,
                (text, _) -> {
                  done.add("last " + text);
                  return new Noted(text);
                })
            .build();
    var model =
        ScriptedModel.replying(ScriptedModel.calls(note("c1", "a")), ScriptedModel.text("Done."));
    var agent = Agent.named("desk").model(model).tools(flow.asTool("note", "Notes.")).build();
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      var options = RunOptions.thread("t").checkpoints(store);
      drained(agent.run("Go.", options.drain(drain)));
      assertThat(done).containsExactly("first a");
      assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("Done.");
    }
    assertThat(done).containsExactly("first a", "last a");
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo("{\"text\":\"a\"}");
  }
}
