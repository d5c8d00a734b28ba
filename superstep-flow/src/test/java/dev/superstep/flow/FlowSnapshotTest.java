package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.flow.FlowOutcome.Suspended;
import dev.superstep.flow.FlowStep.Continue;
import dev.superstep.flow.FlowTest.Article;
import dev.superstep.flow.FlowTest.Count;
import dev.superstep.flow.FlowTest.Enough;
import dev.superstep.flow.FlowTest.Post;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Flows that stop, are written down, and go on.
class FlowSnapshotTest {
  record Notice(String text) {}

  record Sent(String receipt) {}

  record Approve(String what) {}

  record Approved(boolean yes) {}

  record Pay(int cents) {}

  static final List<String> DONE = new CopyOnWriteArrayList<>();

  static final Tool LOOK =
      Tool.of(
          "look",
          "Looks.",
          Pay.class,
          (pay, _) -> {
            DONE.add("look" + pay.cents());
            return "fine";
          });

  static final Tool PAY =
      Tool.of(
          "pay",
          "Pays.",
          Pay.class,
          (pay, context) -> {
            var answer = context.suspend(Json.of(pay)).as(Approved.class);
            DONE.add("pay" + pay.cents() + answer.yes());
            return answer.yes() ? "paid" : "refused";
          });

  private static ToolCall call(String id, String tool, int cents) {
    return new ToolCall(id, tool, "{\"cents\":" + cents + "}");
  }

  private static Flow<Notice, Sent> paying(ToolCall... calls) {
    var agent =
        Agent.named("payer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(calls), ScriptedModel.text("{\"receipt\":\"r1\"}")))
            .tools(LOOK, PAY)
            .answering(Sent.class);
    return Flow.named("pay", Notice.class, Sent.class)
        .agent(Notice.class, Sent.class, agent)
        .build();
  }

  private static <I, O> FlowStep<O> untilItStops(FlowRun<I, O> run) throws InterruptedException {
    while (true) {
      var step = run.next();
      if (!(step instanceof Continue<O>)) return step;
    }
  }

  @Test
  @Tag("P21")
  void a_snapshot_is_json_that_people_can_read() throws InterruptedException {
    var run = FlowTest.PUBLISH.start(new Article("ants dig"));
    run.next();
    run.next();
    var json = run.snapshot().json();
    assertThat(json)
        .contains("\"flow\" : \"publish\"")
        .contains("\"fork Article -> Topic & Draft\"")
        .contains("\"Draft\" : {\n      \"text\" : \"ants dig\"");
  }

  @Test
  @Tag("P22")
  void a_run_resumes_in_the_middle_of_a_superstep() throws InterruptedException {
    var run = FlowTest.PUBLISH.start(new Article("ants dig"));
    run.next();
    run.next();
    var snapshot = FlowSnapshot.parse(run.snapshot().json());
    var other = FlowTest.PUBLISH.fromSnapshot(snapshot);
    assertThat(other.snapshot().json()).isEqualTo(run.snapshot().json());
    assertThat(other.runUntil(FlowLimits.none()))
        .isEqualTo(new Done<>(new Post("ant", List.of("ants", "dig"))));
  }

  @Test
  @Tag("P21")
  void how_often_a_loop_has_run_is_in_the_snapshot() throws InterruptedException {
    var run = FlowTest.counting(5, 5).start(new Count(0));
    for (int i = 0; i < 8; i++) run.next();
    var other = FlowTest.counting(5, 5).fromSnapshot(FlowSnapshot.parse(run.snapshot().json()));
    assertThatThrownBy(() -> other.runUntil(FlowLimits.none()))
        .isInstanceOf(FlowError.LoopLimit.class);
    var more = FlowTest.counting(4, 5).start(new Count(0));
    for (int i = 0; i < 8; i++) more.next();
    var end = FlowTest.counting(4, 5).fromSnapshot(more.snapshot()).next();
    assertThat(end).isEqualTo(new Done<>(new Enough(4)));
  }

  private static Flow<Approve, Sent> asking() {
    return Flow.named("ask", Approve.class, Sent.class)
        .suspend(Approve.class, Approved.class)
        .map(Approved.class, Sent.class, a -> new Sent(a.yes() ? "yes" : "no"))
        .build();
  }

  @Test
  @Tag("P12")
  @Tag("P18")
  void a_suspended_flow_lists_its_pending_waits() throws InterruptedException {
    var run = asking().start(new Approve("ship it"));
    var step = run.next();
    assertThat(step).isInstanceOf(Suspended.class);
    var open = ((Suspended<Sent>) step).first();
    assertThat(open.toolId()).isEqualTo("Approve");
    assertThat(open.value().as(Approve.class)).isEqualTo(new Approve("ship it"));
    assertThat(run.resume("Approve", new Approved(true))).isInstanceOf(Continue.class);
    assertThat(run.next()).isEqualTo(new Done<>(new Sent("yes")));
  }

  @Test
  @Tag("P31")
  void next_and_resume_refuse_the_wrong_call_and_say_why() throws InterruptedException {
    var run = asking().start(new Approve("ship it"));
    assertThatThrownBy(() -> run.resume("Approve", new Approved(true)))
        .isInstanceOf(FlowError.UnexpectedResumption.class);
    run.next();
    assertThatThrownBy(run::next)
        .isInstanceOfSatisfying(
            FlowError.ResumeRequired.class, e -> assertThat(e.toolId()).isEqualTo("Approve"));
    assertThatThrownBy(() -> run.resume("Refund", new Approved(true)))
        .isInstanceOfSatisfying(
            FlowError.ResumeMismatchError.class,
            e ->
                assertThat(e.expected())
                    .extracting(PendingWait::toolId)
                    .containsExactly("Approve"));
    assertThatThrownBy(() -> run.resume("Approve", new Approve("what?")))
        .isInstanceOf(FlowError.DeserializeError.class);
    assertThat(run.resume("Approve", new Approved(false))).isInstanceOf(Continue.class);
  }

  @Test
  @Tag("P30")
  @Tag("P32")
  @Tag("P33")
  void a_suspended_tool_resumes_from_a_snapshot_and_its_siblings_do_not_run_again()
      throws InterruptedException {
    DONE.clear();
    var run = paying(call("1", "look", 5), call("2", "pay", 7)).start(new Notice("pay 7"));
    var step = untilItStops(run);
    var open = ((Suspended<Sent>) step).first();
    assertThat(open.toolId()).isEqualTo("Notice::pay");
    assertThat(open.value().as(Pay.class)).isEqualTo(new Pay(7));
    assertThat(DONE).containsExactly("look5");
    var snapshot = FlowSnapshot.parse(run.snapshot().json());
    var history = FlowHistory.parse(run.history().json());
    var flow = paying(call("x", "look", 0));
    flow = flow.withModel(ScriptedModel.saying("{\"receipt\":\"r2\"}"));
    var restored = flow.fromSnapshot(snapshot).withHistory(history);
    assertThat(restored.suspensions()).containsExactly(open);
    restored.resume("Notice::pay", new Approved(true));
    assertThat(untilItStops(restored)).isEqualTo(new Done<>(new Sent("r2")));
    assertThat(DONE).containsExactly("look5", "pay7true");
    assertThat(restored.history().conversations()).hasSize(1);
    assertThat(restored.history().conversations().getFirst().messages()).hasSize(5);
  }

  @Test
  @Tag("W40")
  void two_calls_of_one_tool_are_distinguished() throws InterruptedException {
    DONE.clear();
    var run = paying(call("1", "pay", 1), call("2", "pay", 2)).start(new Notice("pay"));
    var first = ((Suspended<Sent>) untilItStops(run)).first();
    // One transition, one question: the other call has not run yet.
    assertThat(run.suspensions()).hasSize(1);
    var step = run.resume(first.id(), new Approved(true));
    while (step instanceof Continue) step = run.next();
    var second = ((Suspended<Sent>) step).first();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThatThrownBy(() -> run.resume(first.id(), new Approved(true)))
        .isInstanceOf(FlowError.ResumeMismatchError.class);
    run.resume("Notice::pay", new Approved(false));
    assertThat(untilItStops(run)).isEqualTo(new Done<>(new Sent("r1")));
    assertThat(DONE).containsExactly("pay1true", "pay2false");
  }

  @Test
  @Tag("X11")
  void an_unfinished_agent_needs_its_history_to_resume() throws InterruptedException {
    var flow = paying(call("1", "pay", 1));
    var run = flow.start(new Notice("pay"));
    untilItStops(run);
    var restored = flow.fromSnapshot(run.snapshot());
    assertThatThrownBy(() -> restored.resume("Notice::pay", new Approved(true)))
        .isInstanceOf(FlowError.SnapLoadError.class)
        .hasMessageContaining("withHistory");
  }

  @Test
  void a_history_is_for_a_run_that_was_just_restored() throws InterruptedException {
    var run = asking().start(new Approve("ship it"));
    assertThatThrownBy(() -> run.withHistory(FlowHistory.none()))
        .isInstanceOf(IllegalStateException.class);
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var restored = asking().fromSnapshot(run.snapshot(), options).withHistory(FlowHistory.none());
    restored.next();
    assertThat(asking().reopen(options).suspensions()).hasSize(1);
    assertThatThrownBy(() -> restored.withHistory(FlowHistory.none()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> asking().fromSnapshot(run.snapshot(), options))
        .isInstanceOf(FlowError.SnapLoadError.class)
        .hasMessageContaining("thread `t` is not empty");
  }

  @Test
  @Tag("W39")
  void a_failed_resume_can_be_repeated() throws InterruptedException {
    var fails = new java.util.concurrent.atomic.AtomicInteger(1);
    var tool =
        Tool.of(
            "pay",
            "Pays.",
            Pay.class,
            (_, context) -> {
              var answer = context.suspend(Json.string("pay?"));
              if (fails.getAndDecrement() > 0) throw new Error("bank is down");
              return answer.text();
            });
    var agent =
        Agent.named("payer")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(call("1", "pay", 1)),
                    ScriptedModel.text("{\"receipt\":\"r1\"}")))
            .tools(tool)
            .answering(Sent.class);
    var flow =
        Flow.named("pay", Notice.class, Sent.class).agent(Notice.class, Sent.class, agent).build();
    var run = flow.start(new Notice("pay"));
    untilItStops(run);
    assertThatThrownBy(() -> run.resume("Notice::pay", true))
        .isInstanceOf(FlowError.AgentError.class)
        .hasMessageContaining("bank is down");
    run.resume("Notice::pay", true);
    assertThat(untilItStops(run)).isEqualTo(new Done<>(new Sent("r1")));
  }

  @Test
  @Tag("P21")
  void a_changed_definition_is_refused_with_a_diff() throws InterruptedException {
    var snapshot = asking().start(new Approve("ship it")).snapshot();
    var changed =
        Flow.named("ask", Approve.class, Sent.class)
            .suspend(Approve.class, Approved.class)
            .work(Approved.class, Sent.class, (a, _) -> new Sent("" + a))
            .build();
    assertThatThrownBy(() -> changed.fromSnapshot(snapshot))
        .isInstanceOfSatisfying(
            FlowError.SnapLoadError.class,
            e ->
                assertThat(e.diff())
                    .containsExactly("- map Approved -> Sent", "+ work Approved -> Sent"));
  }

  @Test
  void an_invalid_snapshot_is_refused_with_the_path_to_the_error() throws InterruptedException {
    var json = asking().start(new Approve("ship it")).snapshot().json();
    assertThatThrownBy(() -> FlowSnapshot.parse("{}")).isInstanceOf(FlowError.SnapLoadError.class);
    assertThatThrownBy(() -> FlowSnapshot.parse(json.replace("\"format\" : 1", "\"format\" : 9")))
        .hasMessageContaining("its format is 9");
    assertThatThrownBy(
            () -> FlowSnapshot.parse(json.replace("\"step\" :", "\"stop\" : 1, \"step\" :")))
        .hasMessageContaining("stop")
        .hasMessageContaining("[\"at\"]");
    var wrong = FlowSnapshot.parse(json.replace("\"ship it\"", "[7]"));
    assertThatThrownBy(() -> asking().fromSnapshot(wrong))
        .isInstanceOf(FlowError.SnapLoadError.class)
        .hasMessageContaining("states.Approve");
    var lying =
        FlowSnapshot.parse(
            json.replace(
                "\"suspended\" : [ ]",
                """
                "suspended" : [ {"id":"x","toolId":"x","question":"x","value":1} ]\
                """));
    assertThatThrownBy(() -> asking().fromSnapshot(lying)).hasMessageContaining("suspended");
  }

  @Test
  @Tag("P39")
  void limits_end_softly_or_are_errors() throws InterruptedException {
    var run = FlowTest.PUBLISH.start(new Article("ants dig"));
    assertThat(run.runUntil(FlowLimits.none().steps(2)))
        .isEqualTo(new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.STEPS));
    assertThat(run.runUntil(FlowLimits.none())).isInstanceOf(Done.class);
    var flow = paying(call("1", "look", 1));
    assertThatThrownBy(() -> flow.start(new Notice("")).runUntil(FlowLimits.none().turns(1)))
        .isInstanceOfSatisfying(
            FlowError.LimitError.class, e -> assertThat(e.what()).isEqualTo("turns"));
    assertThat(
            flow.withModel(ScriptedModel.saying("{\"receipt\":\"r3\"}"))
                .start(new Notice(""))
                .runUntil(FlowLimits.none().turns(1)))
        .isEqualTo(new Done<>(new Sent("r3")));
  }
}
