package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.StopReason;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallLimitTest {
  record Nothing() {}

  private final Stage stage = new Stage();
  private final RunOptions kept = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  private final AtomicInteger looked = new AtomicInteger();
  private final Tool look =
      Tool.of("look", "Looks.", Nothing.class, (_, _) -> "sun " + looked.incrementAndGet());
  private final Tool ask = Tool.of("ask", "Asks.", Nothing.class, (_, _) -> "yes");

  private Agent<String> calling(Middleware limit, ToolCall[]... turns) {
    var turn = new AtomicInteger();
    var model =
        ScriptedModel.by(_ -> {
          int now = turn.getAndIncrement();
          return now < turns.length && turns[now].length > 0
              ? ScriptedModel.calls(turns[now])
              : ScriptedModel.text("Done.");
        });
    return agent(model, limit).tools(look, ask).build();
  }

  private static ToolCall[] turn(String... tools) {
    var calls = new ToolCall[tools.length];
    for (int i = 0; i < calls.length; i++) calls[i] = call("c" + i, tools[i], "{}");
    return calls;
  }

  private static List<String> answers(AgentResult<?> result) {
    return result.report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(m -> ((ToolMessage) m).error() ? "error" : m.text())
        .toList();
  }

  @Test
  @Tag("T45")
  void a_run_ends_with_an_answer_when_its_model_was_asked_often_enough() throws Exception {
    var agent = calling(ModelCallLimit.perRun(2).answering("Enough."), turn("look"), turn("look"));
    var result = agent.run("Hi", stage.options());
    assertThat(result.answer()).isEqualTo("Enough.");
    assertThat(result.report().reason()).isEqualTo(StopReason.STOPPED);
    assertThat(result.report().modelCalls()).isEqualTo(2);
    assertThat(stage.heard(AgentEvent.LimitMet.class))
        .containsExactly(new AgentEvent.LimitMet("test", StopReason.MODEL_CALL_LIMIT, 2, 2));
    assertThat(stage.names()).contains("control.applied");
  }

  @Test
  @Tag("T45")
  void a_thread_counts_the_turns_of_all_its_runs() throws Exception {
    var agent = calling(ModelCallLimit.perThread(2));
    assertThat(agent.run("1", kept).answer()).isEqualTo("Done.");
    assertThat(agent.run("2", kept).answer()).isEqualTo("Done.");
    assertThat(agent.run("3", kept).answer()).isEqualTo("Stopped after 2 model calls.");
    var other = RunOptions.thread("u").checkpoints(new InMemoryCheckpointer());
    assertThat(agent.run("1", other).answer()).isEqualTo("Done.");
  }

  @Test
  @Tag("T39")
  void a_limit_may_fail_the_agent_as_its_own_do() {
    var agent = calling(ModelCallLimit.perRun(1).failing(), turn("look"));
    assertThatThrownBy(() -> agent.run("Hi"))
        .isInstanceOfSatisfying(
            LimitReached.class, e -> assertThat(e.reason()).isEqualTo(StopReason.MODEL_CALL_LIMIT));
    var tools = calling(ToolCallLimit.perRun(0).failing(), turn("look"));
    assertThatThrownBy(() -> tools.run("Hi"))
        .isInstanceOfSatisfying(
            LimitReached.class, e -> assertThat(e.reason()).isEqualTo(StopReason.TOOL_CALL_LIMIT));
    assertThat(looked).hasValue(1);
  }

  @Test
  @Tag("T45")
  void calls_beyond_a_limit_get_an_error_and_the_model_continues() throws Exception {
    var agent =
        calling(ToolCallLimit.perRun(3), turn("look", "look"), turn("ask", "look"), turn("ask"));
    var result = agent.run("Hi");
    // Both of the first turn are at work at once.
    assertThat(answers(result).subList(0, 2)).containsExactlyInAnyOrder("sun 1", "sun 2");
    assertThat(answers(result).subList(2, 5)).containsExactly("yes", "error", "error");
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .contains("Not run: tools may be called 3 times for one task. Go on without.");
  }

  @Test
  void a_limit_may_be_one_of_certain_tools() throws Exception {
    var agent =
        calling(ToolCallLimit.perRun(1).only("look"), turn("look", "ask", "look"), turn("ask"));
    assertThat(answers(agent.run("Hi"))).containsExactly("sun 1", "yes", "error", "yes");
  }

  @Test
  void several_limits_count_the_same_calls_once() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(turn("look", "ask")),
            ScriptedModel.calls(turn("look", "ask")),
            ScriptedModel.text("Done."));
    var agent =
        agent(
                model,
                ToolCallLimit.perRun(3),
                ToolCallLimit.perThread(1).only("ask"),
                ModelCallLimit.perThread(3))
            .tools(look, ask)
            .build();
    assertThat(answers(agent.run("Hi", kept))).containsExactly("sun 1", "yes", "sun 2", "error");
    assertThat(agent.run("more", kept).answer()).isEqualTo("Stopped after 3 model calls.");
  }

  @Test
  void the_limit_per_run_starts_over_and_the_limit_per_thread_does_not() throws Exception {
    var each = calling(ToolCallLimit.perRun(1), turn("look"), turn(), turn("look"));
    assertThat(answers(each.run("1", kept))).containsExactly("sun 1");
    assertThat(answers(each.run("2", kept))).containsExactly("sun 1", "sun 2");
    var other = RunOptions.thread("u").checkpoints(new InMemoryCheckpointer());
    var all = calling(ToolCallLimit.perThread(1), turn("look"), turn(), turn("look"));
    all.run("1", other);
    assertThat(answers(all.run("2", other))).containsExactly("sun 3", "error");
  }

  @Test
  void a_turn_may_have_a_limit_of_its_own() throws Exception {
    var agent = calling(ToolCallLimit.perTurn(1), turn("look", "look"), turn("look"));
    assertThat(answers(agent.run("Hi"))).containsExactly("sun 1", "error", "sun 2");
  }

  @Test
  void at_a_limit_the_agent_may_end_before_any_call_of_the_turn_runs() throws Exception {
    var agent = calling(ToolCallLimit.perRun(1).answering("Enough."), turn("look", "look"));
    var result = agent.run("Hi", stage.options());
    assertThat(result.answer()).isEqualTo("Enough.");
    assertThat(looked).hasValue(0);
    assertThat(answers(result)).containsExactly("error", "error");
    assertThat(stage.heard(AgentEvent.LimitMet.class)).hasSize(1);
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(() -> ModelCallLimit.perRun(0)).hasMessageStartingWith("perRun");
    assertThatThrownBy(() -> ModelCallLimit.perThread(0)).hasMessageStartingWith("perThread");
    assertThatThrownBy(() -> ModelCallLimit.perRun(1).answering(" "))
        .hasMessage("answering must not be blank");
    assertThatThrownBy(() -> ToolCallLimit.perTurn(0)).hasMessageStartingWith("perTurn");
    assertThatThrownBy(() -> ToolCallLimit.perRun(-1)).hasMessageStartingWith("perRun");
    assertThatThrownBy(() -> ToolCallLimit.perRun(1).only()).hasMessageStartingWith("only");
  }
}
