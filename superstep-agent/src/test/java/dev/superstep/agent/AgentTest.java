package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentTest {
  record City(String name) {}

  private static final Tools TOOLS =
      Tools.of(Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name()));
  private static final ToolCall OSLO = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
  private static final ToolCall ROME = new ToolCall("c2", "look", "{\"name\":\"Rome\"}");
  private static final List<Message> ASK = List.of(Message.user("Weather?"));

  @Test
  void an_answer_without_tools_ends_the_run() throws InterruptedException {
    var result = agent(ScriptedModel.saying("Hello")).build().run(ASK, RunOptions.defaults());
    assertThat(result.answer()).isEqualTo("Hello");
    assertThat(added(result)).containsExactly(Message.assistant("Hello"));
    assertThat(result.report().reason()).isEqualTo(StopReason.ANSWERED);
    assertThat(result.report().modelCalls()).isEqualTo(1);
    assertThat(result.report().toolCalls()).isZero();
  }

  @Test
  void tools_are_run_and_their_results_shown_to_the_model() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            used(ScriptedModel.calls(OSLO, ROME), 10, 1),
            used(ScriptedModel.calls(OSLO), 20, 2),
            used(ScriptedModel.text("Sun everywhere."), 30, 3));
    var result =
        agent(model).instructions("Be kind.").tools(TOOLS).build().run(ASK, RunOptions.defaults());
    assertThat(result.answer()).isEqualTo("Sun everywhere.");
    assertThat(result.report().usage()).isEqualTo(new Usage(60, 0, 6, 0));
    assertThat(result.report().modelCalls()).isEqualTo(3);
    assertThat(result.report().toolCalls()).isEqualTo(3);
    assertThat(added(result))
        .containsExactly(
            new AssistantMessage("", "", List.of(OSLO, ROME)),
            new ToolMessage("", "c1", "look", "sun in Oslo", false),
            new ToolMessage("", "c2", "look", "sun in Rome", false),
            new AssistantMessage("", "", List.of(OSLO)),
            new ToolMessage("", "c1", "look", "sun in Oslo", false),
            Message.assistant("Sun everywhere."));
    var last = model.requests().getLast();
    assertThat(last.messages().getFirst()).isEqualTo(new SystemMessage("instructions", "Be kind."));
    assertThat(last.messages()).hasSize(7);
    assertThat(last.tools()).isEqualTo(TOOLS.specs());
  }

  @Test
  void a_bad_call_is_shown_to_the_model_which_may_repair_it() throws InterruptedException {
    var bad = new ToolCall("c1", "look", "{\"town\":\"Oslo\"}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(bad), ScriptedModel.calls(OSLO), ScriptedModel.text("Sun."));
    var result = agent(model).tools(TOOLS).build().run(ASK, RunOptions.defaults());
    assertThat(result.answer()).isEqualTo("Sun.");
    assertThat(model.requests().get(1).messages().getLast())
        .isInstanceOfSatisfying(ToolMessage.class, m -> assertThat(m.error()).isTrue());
  }

  @Test
  void the_limit_on_model_calls_fails_the_run_with_its_counters() {
    var agent = agent(looping()).tools(TOOLS).modelCalls(3).build();
    assertThatThrownBy(() -> agent.run(ASK, RunOptions.defaults()))
        .isInstanceOfSatisfying(
            LimitReached.class,
            e -> {
              assertThat(e.code()).isEqualTo("agent.model-call-limit");
              assertThat(e.reason()).isEqualTo(StopReason.MODEL_CALL_LIMIT);
              assertThat(e.modelCalls()).isEqualTo(3);
              assertThat(e.toolCalls()).isEqualTo(3);
              assertThat(e.inputTokens()).isEqualTo(30);
            })
        .hasMessageStartingWith("Agent `test` reached its model call limit after 3 model calls");
  }

  @Test
  void the_limit_on_tool_calls_stops_a_batch_before_it_runs() throws InterruptedException {
    var model = ScriptedModel.replying(ScriptedModel.calls(OSLO), ScriptedModel.calls(OSLO, ROME));
    var agent = agent(model).tools(TOOLS).toolCalls(2).onLimit(OnLimit.RETURN_PARTIAL).build();
    var result = agent.run(ASK, RunOptions.defaults());
    assertThat(result).isInstanceOf(AgentResult.Partial.class);
    assertThat(result.report().reason()).isEqualTo(StopReason.TOOL_CALL_LIMIT);
    assertThat(result.report().toolCalls()).isEqualTo(1);
    assertThat(added(result).subList(3, 5))
        .extracting(Message::text)
        .containsOnly("Not run: the agent stopped at its limit.");
  }

  @Test
  void the_limit_on_time_reaches_into_tools() throws InterruptedException {
    var tool =
        Tool.of(
            "look",
            "Looks for ever.",
            City.class,
            (_, _) -> {
              new CountDownLatch(1).await();
              return "";
            });
    var agent =
        agent(looping())
            .tools(Tools.of(tool))
            .timeout(Duration.ofMillis(200))
            .onLimit(OnLimit.RETURN_PARTIAL)
            .build();
    assertThat(agent.run(ASK, RunOptions.defaults()).report().reason())
        .isEqualTo(StopReason.TIME_LIMIT);
  }

  @Test
  void a_run_that_ended_with_open_tool_calls_resumes_with_them() throws InterruptedException {
    var model = ScriptedModel.saying("Sun in both.");
    List<Message> stopped =
        List.of(
            ASK.getFirst(),
            new AssistantMessage("m1", "", List.of(OSLO, ROME)),
            new ToolMessage("m2", "c1", "look", "sun in Oslo", false));
    var result = agent(model).tools(TOOLS).build().run(stopped, RunOptions.defaults());
    assertThat(added(result))
        .endsWith(
            new ToolMessage("", "c2", "look", "sun in Rome", false),
            Message.assistant("Sun in both."));
  }

  @Test
  void an_empty_answer_is_requested_once_more_and_not_saved() throws InterruptedException {
    var model = ScriptedModel.saying("  ", "Hello");
    var result = agent(model).build().run(ASK, RunOptions.defaults());
    assertThat(added(result)).containsExactly(Message.assistant("Hello"));
    assertThat(result.report().modelCalls()).isEqualTo(2);
    assertThatThrownBy(
            () -> agent(ScriptedModel.saying("", "")).build().run(ASK, RunOptions.defaults()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("empty answer twice");
  }

  @Test
  void truncated_and_filtered_answers_have_different_errors() throws InterruptedException {
    assertThat(stoppedBy("Hel", ChatReply.Finish.LENGTH)).isEqualTo(StopReason.CUT_OFF);
    assertThat(stoppedBy("", ChatReply.Finish.FILTERED)).isEqualTo(StopReason.FILTERED);
  }

  @Test
  @Tag("T121")
  void a_listener_receives_every_step_without_texts() throws InterruptedException {
    var model = ScriptedModel.replying(ScriptedModel.calls(OSLO), ScriptedModel.text("Sun."));
    var heard = new ArrayList<String>();
    var agent = agent(model).tools(TOOLS).build();
    var hears = AgentEvent.listener(event -> heard.add(event.name()));
    agent.run(ASK, RunOptions.defaults().listener(hears));
    assertThat(heard)
        .containsExactly(
            "agent.started",
            "memory.loaded",
            "model.resolved",
            "model.started",
            "model.delta",
            "budget.reconciled",
            "model.completed",
            "tool.started",
            "tool.completed",
            "model.started",
            "budget.reconciled",
            "model.completed",
            "memory.saved",
            "agent.completed");
  }

  @Test
  void interrupting_a_run_stops_it() throws InterruptedException {
    var asked = new CountDownLatch(1);
    var outcome = new AtomicReference<Throwable>();
    var agent = agent(new Silent(asked)).build();
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                agent.run(ASK, RunOptions.defaults());
              } catch (InterruptedException e) {
                outcome.set(e);
              }
            });
    asked.await();
    thread.interrupt();
    thread.join();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void an_agent_without_a_model_or_with_useless_limits_is_refused() {
    assertThatThrownBy(() -> Agent.named("x").build()).hasMessageContaining("no model");
    assertThatThrownBy(() -> Agent.named("x").modelCalls(0))
        .hasMessage("modelCalls must be at least 1, was 0");
    assertThatThrownBy(() -> Agent.named(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  private static StopReason stoppedBy(String text, ChatReply.Finish finish)
      throws InterruptedException {
    var message = new AssistantMessage("", text, List.of());
    var model = ScriptedModel.replying(ScriptedModel.reply(message, Usage.NONE, finish));
    return agent(model).build().run(ASK, RunOptions.defaults()).report().reason();
  }

  /// What a run added to what it was asked, without ids.
  private static List<Message> added(AgentResult<?> result) {
    return result.report().conversation().stream()
        .skip(ASK.size())
        .<Message>map(message -> message.withId(""))
        .toList();
  }

  private static AgentBuilder agent(ChatModel model) {
    return Agent.named("test").model(model);
  }

  private static ScriptedModel looping() {
    return ScriptedModel.by(_ -> used(ScriptedModel.calls(OSLO), 10, 1));
  }

  private static ChatReply used(ChatReply reply, int input, int output) {
    return ScriptedModel.reply(reply.message(), new Usage(input, 0, output, 0), reply.finish());
  }

  /// Never answers.
  private record Silent(CountDownLatch asked) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "silent");
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      asked.countDown();
      new CountDownLatch(1).await();
      throw new AssertionError("never");
    }
  }
}
