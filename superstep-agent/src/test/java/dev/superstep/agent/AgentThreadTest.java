package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.StopReason;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.ConversationTail;
import dev.superstep.middleware.ModelCallLimit;
import dev.superstep.middleware.Summarization;
import dev.superstep.middleware.TodoList;
import dev.superstep.middleware.Trigger;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a program can do with the thread of an agent that failed, or has changed.
@Timeout(30)
@Tag("T57")
class AgentThreadTest {
  record Nothing() {}

  private final AtomicInteger paid = new AtomicInteger();
  private final RunOptions options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  private final Tool pay =
      Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "paid " + paid.incrementAndGet())
          .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));

  private AgentBuilder desk(ChatModel model) {
    return Agent.named("desk").model(model).tools(pay);
  }

  private static ScriptedModel paying() {
    var call = ScriptedModel.calls(new ToolCall("c1", "pay", "{}"));
    return ScriptedModel.by(request -> {
      if (request.messages().size() == 1) return call;
      throw new ModelException(ModelException.Kind.OVERLOADED, "It is overloaded.");
    });
  }

  @Test
  void a_failed_turn_can_be_abandoned_without_a_model_call_and_new_input_is_accepted()
      throws Exception {
    var failing = desk(paying()).build();
    assertThatThrownBy(() -> failing.run("Pay.", options)).isInstanceOf(ModelException.class);
    assertThatThrownBy(() -> failing.run("Hello?", options))
        .isInstanceOf(ThreadError.class)
        .hasMessageContaining("work left");
    var model = ScriptedModel.saying("Hello.");
    var desk = desk(model).build();
    var given = desk.giveUp(options);
    assertThat(given).isInstanceOf(AgentResult.Partial.class);
    assertThat(given.report().reason()).isEqualTo(StopReason.CANCELLED);
    assertThat(model.requests()).isEmpty();
    assertThat(desk.run("Hello?", options).answer()).isEqualTo("Hello.");
    assertThat(model.requests().getFirst().messages())
        .extracting(Message::text)
        .containsExactly("Pay.", "", "paid 1", "Hello?");
    assertThat(paid).hasValue(1);
  }

  @Test
  void abandoning_a_finished_thread_changes_nothing() throws Exception {
    var desk = desk(ScriptedModel.saying("Hello.", "Again.")).build();
    desk.run("Hi.", options);
    assertThat(desk.giveUp(options).answer()).isEqualTo("Hello.");
    assertThat(desk.run("Hi.", options).answer()).isEqualTo("Again.");
  }

  @Test
  void an_agent_that_waits_for_a_person_can_be_abandoned_and_takes_new_input() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "pay", "{}")), ScriptedModel.text("Hello."));
    var desk = desk(model).gate(ToolGate.open().confirming(SideEffect.PAYMENT)).build();
    assertThat(desk.run("Pay.", options)).isInstanceOf(AgentResult.Waiting.class);
    var end = desk.giveUp(options);
    assertThat(end.report().reason()).isEqualTo(StopReason.CANCELLED);
    assertThat(desk.run("Hello?", options).answer()).isEqualTo("Hello.");
    assertThat(model.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly(
            "Pay.", "", "A person rejected the call. The agent was cancelled.", "Hello?");
    assertThat(paid).hasValue(0);
  }

  @Test
  void a_conversation_continues_with_added_middleware() throws Exception {
    assertThat(desk(ScriptedModel.saying("One.")).build().run("1", options).answer())
        .isEqualTo("One.");
    var model = ScriptedModel.saying("Two.");
    var more =
        desk(model)
            .middleware(
                ModelCallLimit.perThread(200),
                Summarization.by(ScriptedModel.saying(), Trigger.messages(50))
                    .withTail(ConversationTail.messages(3)))
            .build();
    assertThat(more.run("2", options).answer()).isEqualTo("Two.");
    assertThat(model.requests().getFirst().messages())
        .extracting(Message::text)
        .containsExactly("1", "One.", "2");
  }

  @Test
  void added_middleware_may_be_anywhere_in_the_order() throws Exception {
    var old = desk(ScriptedModel.saying("One.")).middleware(ModelCallLimit.perThread(200)).build();
    old.run("1", options);
    var more =
        desk(ScriptedModel.saying("Two."))
            .middleware(TodoList.create(), ModelCallLimit.perThread(2))
            .build();
    assertThat(more.run("2", options).answer()).isEqualTo("Two.");
    assertThat(more.run("3", options).report().reason()).isEqualTo(StopReason.STOPPED);
  }

  @Test
  void a_failed_turn_resumes_with_added_middleware() throws Exception {
    var failing = desk(paying()).build();
    assertThatThrownBy(() -> failing.run("Pay.", options)).isInstanceOf(ModelException.class);
    var more =
        desk(ScriptedModel.saying("Paid.")).middleware(ModelCallLimit.perThread(200)).build();
    assertThat(more.resume(Answers.none(), options).answer()).isEqualTo("Paid.");
    assertThat(paid).hasValue(1);
  }

  @Test
  void a_conversation_continues_with_an_added_sub_agent_if_that_is_allowed() throws Exception {
    desk(ScriptedModel.saying("One.")).build().run("1", options);
    var rules = Agent.named("rules").model(ScriptedModel.saying("No.")).build();
    var more = desk(ScriptedModel.saying("Two.")).agent(rules, "Knows the rules.").build();
    assertThatThrownBy(() -> more.run("2", options))
        .isInstanceOf(ThreadError.class)
        .hasMessageContaining("+ node agent-rules");
    assertThat(more.run("2", options.allowTopologyChange()).answer()).isEqualTo("Two.");
  }

  @Test
  void a_result_prints_as_one_line() throws Exception {
    var result = desk(ScriptedModel.saying("Here.")).build().run("A secret", options);
    assertThat(result)
        .hasToString(
            "Answered[answer=Here., report=AgentReport[ANSWERED, 2 messages, 1 model calls,"
                + " 0 tool calls, 0 tokens]]");
  }
}
