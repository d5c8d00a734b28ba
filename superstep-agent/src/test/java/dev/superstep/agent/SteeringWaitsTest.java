package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.StopReason;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Commands that reach an agent while it waits for somebody, after its run has ended.
@Timeout(60)
class SteeringWaitsTest {
  record Nothing() {}

  private final AtomicInteger paid = new AtomicInteger();
  private final AtomicInteger looked = new AtomicInteger();

  private final Tool pay =
      Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "paid " + paid.incrementAndGet());
  private final Tool look =
      Tool.of("look", "Looks.", Nothing.class, (_, _) -> "seen " + looked.incrementAndGet());
  private final Tool job =
      Tool.of(
          "job",
          "Waits for a job.",
          Nothing.class,
          (_, context) -> context.suspend(Json.string("job 7")).text() + paid.incrementAndGet());

  /// An agent that waits, and the number of turns that its models have had when it does.
  private record Case(String name, Agent<String> agent, RunOptions first, List<ScriptedModel> all) {
    int turns() {
      return all.stream().mapToInt(ScriptedModel::calls).sum();
    }
  }

  private enum Waits {
    IN_A_PAUSE,
    FOR_A_CLARIFICATION,
    FOR_A_REVIEW,
    IN_A_TOOL,
    IN_ONE_OF_TWO_TOOLS,
    IN_A_TOOL_OF_A_SUB_AGENT,
    FOR_A_REVIEW_OF_A_SUB_AGENT,
    IN_A_SUB_AGENT_BESIDE_A_TOOL
  }

  private static ScriptedModel calling(String... tools) {
    var calls = new ToolCall[tools.length];
    for (int i = 0; i < calls.length; i++) {
      var task = tools[i].equals("helper") ? "{\"task\":\"x\"}" : "{}";
      calls[i] = new ToolCall("c" + i, tools[i], task);
    }
    return ScriptedModel.by(request ->
        Messages.openCalls(request.messages()).isEmpty() && request.messages().size() == 1
            ? ScriptedModel.calls(calls)
            : ScriptedModel.text("Done."));
  }

  private Case waiting(Waits waits, RunOptions options) {
    var plain = Agent.named("desk").tools(pay, look, job);
    return switch (waits) {
      case IN_A_PAUSE, FOR_A_CLARIFICATION -> {
        var model = calling("look");
        var steering = Steering.standard();
        steering.human(
            "ada",
            waits == Waits.IN_A_PAUSE
                ? new Steer.Pause("Wait.")
                : new Steer.AskClarifyingQuestion("Which?"));
        var first = options.with(Steering.KEY, steering);
        yield new Case(waits.name(), plain.model(model).build(), first, List.of(model));
      }
      case FOR_A_REVIEW -> {
        var model = calling("pay");
        var gate = ToolGate.open().confirming("pay");
        var agent = plain.model(model).gate(gate).build();
        yield new Case(waits.name(), agent, options, List.of(model));
      }
      case IN_A_TOOL -> plain(waits, plain, options, calling("job"));
      case IN_ONE_OF_TWO_TOOLS -> plain(waits, plain, options, calling("look", "job"));
      case IN_A_TOOL_OF_A_SUB_AGENT -> nested(waits, plain, options, calling("helper"), "job");
      case FOR_A_REVIEW_OF_A_SUB_AGENT -> nested(waits, plain, options, calling("helper"), "pay");
      case IN_A_SUB_AGENT_BESIDE_A_TOOL ->
          nested(waits, plain, options, calling("look", "helper"), "job");
    };
  }

  private static Case plain(
      Waits waits, AgentBuilder agent, RunOptions options, ScriptedModel model) {
    return new Case(waits.name(), agent.model(model).build(), options, List.of(model));
  }

  private Case nested(
      Waits waits, AgentBuilder agent, RunOptions options, ScriptedModel model, String tool) {
    var inner = calling(tool);
    var gate = ToolGate.open().confirming("pay");
    var helper = Agent.named("helper").model(inner).tools(pay, job).gate(gate).build();
    var outer = agent.model(model).agent(helper, "Helps.").build();
    return new Case(waits.name(), outer, options, List.of(model, inner));
  }

  private static Stream<DynamicTest> cells(Cell cell) {
    var all = new ArrayList<DynamicTest>();
    for (var waits : Waits.values()) {
      for (var durability : Durability.values()) {
        all.add(
            DynamicTest.dynamicTest(waits + " " + durability, () -> cell.check(waits, durability)));
      }
    }
    return all.stream();
  }

  private interface Cell {
    void check(Waits waits, Durability durability) throws Exception;
  }

  private static RunOptions options(Durability durability) {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).durability(durability);
  }

  @TestFactory
  @Tag("T65")
  Stream<DynamicTest> a_cancel_ends_an_agent_that_waits_in_another_process() {
    return cells((waits, durability) -> {
      paid.set(0);
      looked.set(0);
      var options = options(durability);
      var waiting = waiting(waits, options);
      assertThat(waiting.agent().run("Go.", waiting.first()))
          .isInstanceOf(AgentResult.Waiting.class);
      int turns = waiting.turns();
      int seen = looked.get();
      // Nothing of the first process is left but what is stored.
      var steering = Steering.standard();
      var cancel = steering.human("ada", new Steer.Cancel("Enough."));
      var end = waiting.agent().resume(Answers.none(), options.with(Steering.KEY, steering));
      assertThat(end).isInstanceOf(AgentResult.Partial.class);
      assertThat(end.report().reason()).isEqualTo(StopReason.CANCELLED);
      assertThat(steering.status(cancel).orElseThrow().state()).isEqualTo(Steering.State.APPLIED);
      assertThat(waiting.turns()).isEqualTo(turns);
      assertThat(paid).hasValue(0);
      // What had finished beside it is not done again, and not lost.
      assertThat(looked).hasValue(seen);
      assertThat(Messages.openCalls(end.report().conversation())).isEmpty();
      if (seen > 0) {
        assertThat(end.report().conversation()).extracting(Message::text).contains("seen 1");
      }
      assertThat(waiting.agent().run("Again.", options).answer()).isEqualTo("Done.");
    });
  }

  @TestFactory
  Stream<DynamicTest> a_resumption_without_commands_leaves_an_agent_waiting() {
    return cells((waits, durability) -> {
      var options = options(durability);
      var waiting = waiting(waits, options);
      var first = (AgentResult.Waiting<String>) waiting.agent().run("Go.", waiting.first());
      int turns = waiting.turns();
      var idle = options.with(Steering.KEY, Steering.standard());
      var second = (AgentResult.Waiting<String>) waiting.agent().resume(Answers.none(), idle);
      assertThat(second.questions()).isEqualTo(first.questions());
      assertThat(waiting.turns()).isEqualTo(turns);
    });
  }

  @TestFactory
  @Tag("T64")
  Stream<DynamicTest> a_resume_ends_a_pause_and_nothing_else() {
    return cells((waits, durability) -> {
      var options = options(durability);
      var waiting = waiting(waits, options);
      var first = (AgentResult.Waiting<String>) waiting.agent().run("Go.", waiting.first());
      var steering = Steering.standard();
      var sent = steering.human("ada", new Steer.Resume());
      var on = options.with(Steering.KEY, steering);
      var second = waiting.agent().resume(Answers.none(), on);
      if (waits == Waits.IN_A_PAUSE) {
        assertThat(second.answer()).isEqualTo("Done.");
        assertThat(steering.status(sent).orElseThrow().state()).isEqualTo(Steering.State.APPLIED);
      } else {
        assertThat(((AgentResult.Waiting<String>) second).questions()).isEqualTo(first.questions());
      }
      assertThat(paid).hasValue(0);
    });
  }

  @Test
  void a_resume_that_follows_its_pause_at_once_lets_the_agent_go_on() throws Exception {
    var steering = Steering.standard();
    var model = calling("look");
    var agent = Agent.named("desk").model(model).tools(look).build();
    steering.human("ada", new Steer.Pause("Wait."));
    steering.human("ada", new Steer.AddInstruction("Be brief."));
    steering.human("ada", new Steer.Resume());
    var options = options(Durability.SYNC).with(Steering.KEY, steering);
    var result = agent.run("Go.", options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .contains("Instruction: Be brief.");
  }

  @Test
  void a_cancel_of_a_sub_agent_by_name_ends_that_one_and_its_caller_goes_on() throws Exception {
    var options = options(Durability.SYNC);
    var waiting = waiting(Waits.IN_A_TOOL_OF_A_SUB_AGENT, options);
    assertThat(waiting.agent().run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    var steering = Steering.standard();
    steering.send(
        steering.command(
            new SteeringCommand.Target.Named("helper"),
            new SteeringCommand.Actor.Human("ada"),
            new Steer.Cancel("Not that.")));
    var end = waiting.agent().resume(Answers.none(), options.with(Steering.KEY, steering));
    assertThat(end.answer()).isEqualTo("Done.");
    assertThat(end.report().conversation()).extracting(Message::text).contains("Cancelled.");
    assertThat(paid).hasValue(0);
  }

  @Test
  void a_cancel_that_the_policy_refuses_ends_no_wait() throws Exception {
    var options = options(Durability.SYNC);
    var waiting = waiting(Waits.IN_A_TOOL, options);
    assertThat(waiting.agent().run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    var steering = Steering.of(dev.superstep.agent.steering.SteeringPolicy.only(Steer.Pause.class));
    steering.human("ada", new Steer.Cancel("Enough."));
    assertThat(waiting.agent().resume(Answers.none(), options.with(Steering.KEY, steering)))
        .isInstanceOf(AgentResult.Waiting.class);
  }

  @Test
  void a_decision_by_steering_ends_the_wait_for_a_review() throws Exception {
    var options = options(Durability.SYNC);
    var waiting = waiting(Waits.FOR_A_REVIEW, options);
    assertThat(waiting.agent().run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    var steering = Steering.standard();
    steering.human("ada", new Steer.Approve("c0"));
    var end = waiting.agent().resume(Answers.none(), options.with(Steering.KEY, steering));
    assertThat(end.answer()).isEqualTo("Done.");
    assertThat(paid).hasValue(1);
  }

  @Test
  void tools_that_have_not_begun_when_a_cancel_comes_do_not_begin() throws Exception {
    var steering = Steering.standard();
    var calls = new ArrayList<String>();
    var first =
        Tool.of(
            "first",
            "Cancels.",
            Nothing.class,
            (_, _) -> {
              steering.human("ada", new Steer.Cancel("Enough."));
              return "done";
            });
    var second =
        Tool.of(
            "second",
            "Never runs.",
            Nothing.class,
            (_, _) -> {
              calls.add("second");
              return "ran";
            });
    var agent =
        Agent.named("desk").model(calling("first", "second")).tools(first, second).concurrency(1);
    var end = agent.build().run("Go.", options(Durability.SYNC).with(Steering.KEY, steering));
    assertThat(end.report().reason()).isEqualTo(StopReason.CANCELLED);
    assertThat(calls).isEmpty();
    assertThat(end.report().conversation())
        .extracting(Message::text)
        .contains("done", "Not run. The agent was cancelled.");
  }
}
