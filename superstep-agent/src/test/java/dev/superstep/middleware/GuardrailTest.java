package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.StopReason;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.middleware.Guard.Ruling;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GuardrailTest {
  record Nothing() {}

  private static final Guard POLITE =
      Guard.of(text -> text.contains("stupid") ? Ruling.block("Please be kind.") : Ruling.pass());
  private final Stage stage = new Stage();

  @Test
  @Tag("T45")
  void an_input_that_is_blocked_never_reaches_the_model() throws Exception {
    var model = Stage.saying("Hello");
    var agent = agent(model, Guardrail.input(POLITE)).build();
    var result = agent.run("You stupid thing", stage.options());
    assertThat(result.answer()).isEqualTo("Please be kind.");
    assertThat(result.report().reason()).isEqualTo(StopReason.STOPPED);
    assertThat(model.calls()).isZero();
    assertThat(stage.names()).contains("control.applied");
    assertThat(agent.run("You nice thing").answer()).isEqualTo("Hello");
  }

  @Test
  @Tag("T45")
  void a_blocked_output_is_neither_saved_nor_streamed() throws Exception {
    var model = Stage.saying("A stupid question.");
    var result = stage.run(agent(model, Guardrail.output(POLITE)));
    assertThat(result.answer()).isEqualTo("Please be kind.");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .containsExactly("Hi", "Please be kind.");
    assertThat(stage.text).hasToString("Please be kind.|");
    assertThat(stage.run(agent(Stage.saying("Good."), Guardrail.output(POLITE))).answer())
        .isEqualTo("Good.");
  }

  @Test
  void the_tools_of_a_reply_that_is_blocked_are_not_run() throws Exception {
    var runs = new AtomicInteger();
    var tool = Tool.of("look", "Looks.", Nothing.class, (_, _) -> "" + runs.incrementAndGet());
    var reply = new AssistantMessage("", "How stupid. I look.", List.of(call("c1", "look", "{}")));
    var model =
        ScriptedModel.replying(ScriptedModel.reply(reply, Usage.NONE, ChatReply.Finish.TOOL_CALLS));
    var result = agent(model, Guardrail.output(POLITE)).tools(tool).build().run("Hi");
    assertThat(result.answer()).isEqualTo("Please be kind.");
    assertThat(runs).hasValue(0);
  }

  @Test
  void a_guard_may_fail_the_agent() {
    var failing = Guard.of(_ -> Ruling.fail("not today"));
    assertThatThrownBy(() -> stage.run(agent(Stage.saying("a"), Guardrail.input(failing))))
        .isInstanceOf(ContentBlocked.class)
        .hasMessageStartingWith("`input-guardrail` of agent `test` stopped the input: not today");
    assertThatThrownBy(() -> stage.run(agent(Stage.saying("a"), Guardrail.output(failing))))
        .isInstanceOfSatisfying(
            ContentBlocked.class, e -> assertThat(e.by()).isEqualTo("output-guardrail"));
  }

  @Test
  void a_guard_sees_the_new_messages_and_the_earlier_ones() throws Exception {
    var seen = new ArrayList<String>();
    Guard guard =
        now -> {
          seen.add(now.guardrail() + " " + now.text() + " after " + now.conversation().size());
          return Ruling.pass();
        };
    var tool = Tool.of("look", "Looks.", Nothing.class, (_, _) -> "sun");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", "{}")), ScriptedModel.text("Sun."));
    agent(model, Guardrail.input(guard), Guardrail.output(guard).named("out"))
        .tools(tool)
        .instructions("Be kind.")
        .build()
        .run("Weather?");
    assertThat(seen).containsExactly("input-guardrail Weather? after 1", "out Sun. after 3");
  }

  private static ChatReply verdict(boolean allowed) {
    var text = "{\"why\":\"as the test wants it\",\"allowed\":" + allowed + "}";
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(20, 0, 2, 0), ChatReply.Finish.STOP);
  }

  @Test
  @Tag("T45")
  void a_model_may_be_the_guard_and_counts_for_the_agent() throws Exception {
    var judge = ScriptedModel.replying(verdict(true), verdict(false));
    var guard = Guard.asking(judge, "No advice on law.", "I cannot help there.");
    var agent =
        agent(Stage.saying("Sue them \"now\"."), Guardrail.input(guard), Guardrail.output(guard));
    var result = stage.run(agent);
    assertThat(result.answer()).isEqualTo("I cannot help there.");
    assertThat(result.report().usage().total()).isEqualTo(44);
    assertThat(result.report().spent().calls()).isEqualTo(3);
    var asked = judge.requests().getLast().messages().getLast().text();
    assertThat(asked).contains("No advice on law.", "\"Sue them \\\"now\\\".\"");
  }

  @Test
  void a_verdict_is_asked_for_once_also_if_the_turn_runs_again() throws Exception {
    var judge = ScriptedModel.replying(verdict(true));
    var guard = Guard.asking(judge, "Anything goes.", "No.");
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var broken =
        Stage.flaky(
            "openai://a",
            Stage.saying("Hello"),
            Stage.error(dev.superstep.model.ModelException.Kind.UNAVAILABLE));
    var agent = agent(broken, Guardrail.input(guard)).build();
    assertThatThrownBy(() -> agent.run("Hi", options)).hasMessage("as the test wants it");
    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("Hello");
    assertThat(judge.calls()).isEqualTo(1);
  }

  @Test
  void a_guard_that_fails_blocks_everything() {
    var judge = ScriptedModel.saying("I think so", "Yes");
    var agent =
        agent(Stage.saying("Hello"), Guardrail.output(Guard.asking(judge, "Be kind.", "No.")));
    assertThatThrownBy(() -> stage.run(agent)).hasMessageContaining("gave no valid Verdict");
    assertThat(stage.text).isEmpty();
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(() -> Guard.asking(Stage.saying(), " ", "No")).hasMessageStartingWith("pol");
    assertThatThrownBy(() -> Guard.asking(Stage.saying(), "x", ""))
        .hasMessageStartingWith("answer");
    assertThatThrownBy(() -> Guardrail.input(POLITE).named("")).hasMessageStartingWith("name");
  }
}
