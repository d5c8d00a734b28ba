package dev.superstep.testkit.agent;

import static dev.superstep.testkit.agent.AgentAssertions.assertThatPrompt;
import static dev.superstep.testkit.agent.AgentAssertions.assertThatTrajectory;
import static dev.superstep.testkit.agent.ToolCallMatcher.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.EventRecorder;
import dev.superstep.testkit.Golden;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T61")
class AgentAssertionsTest {
  private final FakeTool search = FakeTool.named("search").returning("found 17");
  private final FakeTool pay = FakeTool.named("pay").returning("paid");
  private final ScriptedModel model =
      ScriptedModel.replying(
          ScriptedModel.calls(
              new ToolCall("c1", "search", "{\"query\":\"red\"}"),
              new ToolCall("c2", "search", "{\"query\":\"blue\"}")),
          ScriptedModel.calls(new ToolCall("c3", "pay", "{\"amount\":3,\"to\":\"Ann\"}")),
          ScriptedModel.text("Paid for the red one."));
  private final EventRecorder recorder = new EventRecorder();

  private Trajectory run() throws InterruptedException {
    var agent =
        Agent.named("shop")
            .model(model)
            .instructions("Be quick.")
            .tools(search.tool(), pay.tool())
            .build();
    var result = agent.run("Buy the red one.", RunOptions.defaults().listener(recorder));
    return Trajectory.of(result.report());
  }

  @Test
  void a_trajectory_is_checked_without_texts() throws Exception {
    assertThatTrajectory(run())
        .callsExactly("search", "search", "pay")
        .callsExactly(
            call("search").with("query", "red"),
            call("search"),
            call("pay").withArguments("{\"to\":\"Ann\",\"amount\":3}"))
        .callsInAnyOrder("pay", "search", "search")
        // The first fits both calls, the second only one of them.
        .callsInAnyOrder(call("search"), call("search").with("query", "red"), call("pay"))
        .callsInOrder("search", "pay")
        .callsAtLeast("pay")
        .callsAtLeast(call("pay").where("little", a -> a.get("amount").asInt() < 5))
        .callsNoneBefore("pay", "search")
        .callsNoneBefore("refund", "pay")
        .neverCalls("refund")
        .neverCalls(call("search").with("query", "green"))
        .hasTurns(3)
        .hasTurnsAtMost(3)
        .endedBy(StopReason.ANSWERED);
  }

  @Test
  void the_events_of_a_run_give_the_same_trajectory_without_arguments() throws Exception {
    var known = run();
    List<Event> events = recorder.events();
    assertThatTrajectory(Trajectory.of(events, "shop"))
        .callsExactly("search", "search", "pay")
        .hasTurns(known.turns())
        .endedBy(StopReason.ANSWERED);
    assertThat(Trajectory.of(events, "other"))
        .isEqualTo(new Trajectory(List.of(), 0, Optional.empty()));
  }

  record Verdict(boolean paid) {}

  @Test
  void the_call_by_which_a_typed_agent_answers_is_no_tool_call() throws Exception {
    var answers =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "search", "{}")),
            ScriptedModel.calls(new ToolCall("c2", "pay", "{}")),
            ScriptedModel.calls(new ToolCall("c3", "verdict", "{\"paid\":true}")));
    var agent =
        Agent.named("shop")
            .model(answers)
            .tools(search.tool(), pay.tool())
            .answerTool("verdict")
            .answering(Verdict.class);
    var result = agent.run("Buy it.", RunOptions.defaults().listener(recorder));
    assertThat(result.answer()).isEqualTo(new Verdict(true));
    assertThatTrajectory(result).callsExactly("search", "pay").hasTurns(3);
    assertThatTrajectory(Trajectory.of(recorder.events(), "shop")).callsExactly("search", "pay");
    var conversation = Trajectory.of(result.report().conversation());
    assertThatTrajectory(conversation).callsExactly("search", "pay", "verdict");
    assertThatTrajectory(conversation.without("verdict")).callsExactly("search", "pay");
  }

  @Test
  void the_calls_since_the_last_user_message_can_be_selected() {
    var before = new AssistantMessage("", "", List.of(new ToolCall("c1", "search", "{}")));
    var after = new AssistantMessage("", "", List.of(new ToolCall("c2", "pay", "{}")));
    var conversation = List.of(Message.user("one"), before, Message.user("two"), after);
    assertThatTrajectory(conversation).callsExactly("search", "pay");
    assertThatTrajectory(Trajectory.ofLast(conversation)).callsExactly("pay").hasTurns(1);
  }

  @Test
  void a_prompt_is_checked() throws Exception {
    run();
    assertThatPrompt(model.requests().getLast())
        .hasSystemText("quick")
        .hasRoles("system", "user", "assistant", "tool", "tool", "assistant", "tool")
        .saysInOrder("Buy", "found 17", "found 17", "paid")
        .endsWith("paid")
        .offersExactly("pay", "search")
        .hasSamePrefixAs(model.requests().getFirst())
        .hasNoSecret("k-12345")
        .isWellFormed();
    var other = ChatRequest.of(Message.system("Be slow."), Message.user("Buy."));
    assertThatPrompt(other.withPrefix(1, CacheHint.SHORT))
        .hasOtherPrefixThan(model.requests().getFirst());
  }

  @Test
  void failures_show_the_expected_and_the_actual_calls() throws Exception {
    var it = assertThatTrajectory(run());
    var nothing = assertThatTrajectory(List.of(Message.user("Hi.")));
    var asked = model.requests().getLast();
    var prompt = assertThatPrompt(asked);
    var open =
        ChatRequest.of(
            Message.user("Go"),
            new AssistantMessage("", "", List.of(new ToolCall("c1", "pay", "{\"key\":\"k-1\"}"))));
    var messages = new StringBuilder();
    for (ThrowingCallable one :
        List.<ThrowingCallable>of(
            () -> it.callsExactly("search", "pay"),
            () -> it.callsExactly("search", "search"),
            () -> it.callsExactly("search", "search", "pay", "pay"),
            () -> it.callsExactly(call("search").with("query", "green")),
            () -> it.callsInAnyOrder("search", "refund", "pay"),
            () -> it.callsInOrder("pay", "search"),
            () -> it.callsAtLeast(call("pay").where("much", a -> a.get("amount").asInt() > 5)),
            it::callsNothing,
            () -> it.neverCalls("pay"),
            () -> it.callsNoneBefore("search", "pay"),
            () -> it.callsNoneBefore("search", "approve"),
            () -> it.hasTurns(1),
            () -> it.hasTurnsAtMost(2),
            () -> it.endedBy(StopReason.TIME_LIMIT),
            () -> nothing.callsExactly("pay"),
            () -> nothing.endedBy(StopReason.ANSWERED),
            () -> prompt.hasSystemText("slow"),
            () -> prompt.hasRoles("user"),
            () -> prompt.saysInOrder("paid", "Buy"),
            () -> prompt.endsWith("Buy"),
            () -> prompt.offersExactly("pay", "refund"),
            () -> prompt.hasSamePrefixAs(open),
            () -> prompt.hasOtherPrefixThan(asked),
            () -> assertThatPrompt(open).hasNoSecret("k-2", "k-1"),
            () -> assertThatPrompt(open).isWellFormed())) {
      messages.append(message(one)).append("\n\n");
    }
    Golden.in("assertions").check("failures.txt", messages.toString());
  }

  private static String message(ThrowingCallable assertion) {
    var failures = new ArrayList<String>();
    try {
      assertion.call();
    } catch (AssertionError e) {
      failures.add(String.valueOf(e.getMessage()).replace(System.lineSeparator(), "\n"));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    assertThat(failures).as("a failure").hasSize(1);
    return failures.getFirst();
  }
}
