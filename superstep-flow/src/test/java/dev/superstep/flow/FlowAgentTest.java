package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Agents as steps of flows.
class FlowAgentTest {
  record Task(String text) {}

  record Left(String text) {}

  record Right(String text) {}

  record Found(String text) {}

  record Answer(String text) {}

  record None() {}

  private static final Tool TIME = Tool.of("time", "Tells the time.", None.class, (_, _) -> "noon");

  private static AgentBuilder clerk(ChatModel model) {
    return Agent.named("clerk").model(model).instructions("Be brief.");
  }

  private static Flow<Task, Answer> flow(AgentBuilder agent) {
    return Flow.named("ask", Task.class, Answer.class)
        .agent(Task.class, Answer.class, agent.answering(Answer.class))
        .build();
  }

  @Test
  @Tag("P25")
  @Tag("P26")
  @Tag("P7")
  void the_model_gets_its_instructions_and_then_the_state_as_json() throws InterruptedException {
    var model = ScriptedModel.saying("{\"text\":\"well\"}");
    assertThat(flow(clerk(model)).run(new Task("How?")).output()).isEqualTo(new Answer("well"));
    var messages = model.requests().getFirst().messages();
    assertThat(messages.getFirst().text()).isEqualTo("Be brief.");
    assertThat(messages.getLast().text()).isEqualTo("{\"text\":\"How?\"}");
    assertThat(messages).hasSize(2);
    assertThat(model.requests().getFirst().tools()).isEmpty();
  }

  @Test
  @Tag("W35")
  void agents_of_two_branches_do_not_hear_each_other() throws InterruptedException {
    var left = ScriptedModel.saying("{\"text\":\"left\"}");
    var right = ScriptedModel.saying("{\"text\":\"right\"}");
    var flow =
        Flow.named("both", Task.class, Answer.class)
            .fork(Task.class, Left.class, Right.class, t -> Both.of(new Left("l"), new Right("r")))
            .agent(Left.class, Found.class, clerk(left).answering(Found.class))
            .agent(Right.class, Said.class, clerk(right).answering(Said.class))
            .join(Found.class, Said.class, Answer.class, (f, s) -> new Answer(f.text() + s.text()))
            .build();
    assertThat(flow.run(new Task("go")).output()).isEqualTo(new Answer("leftright"));
    assertThat(left.requests().getFirst().messages())
        .extracting(m -> m.text())
        .containsExactly("Be brief.", "{\"text\":\"l\"}");
    assertThat(right.requests().getFirst().messages())
        .extracting(m -> m.text())
        .containsExactly("Be brief.", "{\"text\":\"r\"}");
  }

  record Said(String text) {}

  @Test
  @Tag("W36")
  void a_model_that_never_ends_is_stopped() {
    var model = ScriptedModel.by(_ -> ScriptedModel.calls(new ToolCall("c", "time", "{}")));
    assertThatThrownBy(() -> flow(clerk(model).tools(TIME)).run(new Task("go")))
        .isInstanceOf(FlowError.AgentError.class)
        .rootCause()
        .isInstanceOf(LimitReached.class);
    assertThat(model.requests()).hasSize(25);
  }

  @Test
  @Tag("W37")
  @Tag("P29")
  void a_call_of_an_unknown_tool_is_reported_to_the_model_which_may_continue()
      throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "clock", "{}")),
            ScriptedModel.calls(new ToolCall("c2", "time", "{\"zone\":1}")),
            ScriptedModel.text("{\"text\":\"noon\"}"));
    var flow = flow(clerk(model).tools(TIME));
    assertThat(flow.run(new Task("When?")).output()).isEqualTo(new Answer("noon"));
    assertThat(model.requests().get(1).messages().getLast().text()).contains("clock", "time");
    assertThat(model.requests().get(2).messages().getLast().text()).contains("zone");
  }

  @Test
  @Tag("W38")
  @Tag("W41")
  void an_answer_that_does_not_fit_is_sent_back_and_prose_is_no_answer()
      throws InterruptedException {
    var model = ScriptedModel.saying("All is well.", "{\"text\":\"well\"}");
    var flow = flow(clerk(model).tools(TIME));
    assertThat(flow.run(new Task("How?")).output()).isEqualTo(new Answer("well"));
    assertThat(model.requests()).hasSize(2);
  }

  @Test
  @Tag("P17")
  void the_models_of_all_agents_can_be_replaced() throws InterruptedException {
    var never =
        ScriptedModel.by(_ -> {
          throw new AssertionError("it was asked");
        });
    var flow = flow(clerk(never)).withModel(ScriptedModel.saying("{\"text\":\"fake\"}"));
    assertThat(flow.run(new Task("How?")).output()).isEqualTo(new Answer("fake"));
  }

  @Test
  @Tag("P36")
  void tools_find_values_injected_into_the_flow() throws InterruptedException {
    record Zone(String name) {}
    var zone = Tool.of("zone", "Tells the zone.", None.class, (_, c) -> c.get(Zone.class).name());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "zone", "{}")),
            ScriptedModel.text("{\"text\":\"ok\"}"));
    flow(clerk(model).tools(zone))
        .withInjected(ToolDependencies.none().and(Zone.class, new Zone("CET")))
        .run(new Task("Where?"));
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("CET");
  }

  @Test
  @Tag("P4")
  @Tag("X20")
  void the_answer_tool_can_be_renamed_and_its_name_must_be_unique() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "submit", "{\"text\":\"carried\"}")));
    var agent = clerk(model).tools(TIME).answerTool("submit");
    assertThat(flow(agent).run(new Task("How?")).output()).isEqualTo(new Answer("carried"));
    var taken = Tool.of("answer", "Answers.", None.class, (_, _) -> "");
    assertThatThrownBy(() -> clerk(model).tools(taken).answering(Answer.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`answer`");
    assertThat(clerk(model).tools(taken).build().tools()).containsExactly("answer");
  }
}
