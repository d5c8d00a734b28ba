package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.StopReason;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.agent.steering.SteeringPolicy;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@Tag("T65")
class SteeringTest {
  record Nothing() {}

  private final AtomicInteger ids = new AtomicInteger();
  private final Steering steering =
      Steering.of(
          SteeringPolicy.standard(), () -> Instant.EPOCH, () -> "cmd-" + ids.incrementAndGet());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options =
      RunOptions.thread("t").checkpoints(store).with(Steering.KEY, steering);

  /// Runs something while the agent is at work: in its first tool call.
  private Tool meanwhile(Runnable work) {
    return Tool.of(
        "work",
        "Works.",
        Nothing.class,
        (_, _) -> {
          work.run();
          return "worked";
        });
  }

  private static ScriptedModel works(String answer) {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "work", "{}")), ScriptedModel.text(answer));
  }

  private String human(Steer steer) {
    return steering.human("ada", steer);
  }

  private Steering.State state(String command) {
    return steering.status(command).orElseThrow().state();
  }

  private static List<String> texts(ChatRequest request) {
    return request.messages().stream().map(Message::text).toList();
  }

  @Test
  @Tag("T62")
  void instructions_reach_the_next_turn_and_are_saved() throws InterruptedException {
    var model = works("By train.");
    var sent = new ArrayList<String>();
    var tool =
        meanwhile(() -> {
          sent.add(human(new Steer.AddInstruction("By train.")));
          sent.add(human(new Steer.ReplaceInstruction("You plan.")));
          sent.add(human(new Steer.ProvideContext("It rains.")));
        });
    var agent = Agent.named("planner").model(model).instructions("Plan.").tools(tool).build();
    var events = new ArrayList<AgentEvent>();
    var result = agent.run("Go.", options.listener(AgentEvent.listener(events::add)));
    assertThat(texts(model.requests().getLast()))
        .containsExactly(
            "You plan.", "Go.", "", "worked", "Instruction: By train.", "Context: It rains.");
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .contains("Instruction: By train.");
    assertThat(sent).allSatisfy(id -> assertThat(state(id)).isEqualTo(Steering.State.APPLIED));
    assertThat(events).filteredOn(AgentEvent.Steered.class::isInstance).hasSize(3);
    assertThat(steering.status()).isEmpty();
  }

  @Test
  void tools_can_be_removed_but_not_added() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "work", "{}")),
            ScriptedModel.calls(new ToolCall("c2", "other", "{}")),
            ScriptedModel.text("Done."));
    var sent = new ArrayList<String>();
    var ran = new AtomicInteger();
    var other = Tool.of("other", "Other.", Nothing.class, (_, _) -> "" + ran.incrementAndGet());
    var secret = Tool.of("secret", "Secret.", Nothing.class, (_, _) -> "s");
    var tool =
        meanwhile(() -> {
          sent.add(human(new Steer.ConstrainTools(Set.of("work", "secret"))));
          sent.add(human(new Steer.ConstrainTools(Set.of("work"))));
          sent.add(human(new Steer.ConstrainTools(Set.of("work", "other"))));
        });
    var agent =
        Agent.named("a")
            .model(model)
            .tools(tool, other, secret)
            .gate(ToolGate.open().without("secret"))
            .build();
    assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
    assertThat(model.requests().get(1).tools()).extracting(ToolSpec::name).containsOnly("work");
    assertThat(ran).hasValue(0);
    assertThat(sent)
        .extracting(this::state)
        .containsExactly(Steering.State.REJECTED, Steering.State.APPLIED, Steering.State.REJECTED);
  }

  @Test
  void a_cancel_has_precedence_over_all_other_commands() throws InterruptedException {
    var model = works("Never said.");
    var sent = new ArrayList<String>();
    var tool =
        meanwhile(() -> {
          sent.add(human(new Steer.AddInstruction("Go on.")));
          sent.add(human(new Steer.Cancel("Enough.")));
        });
    var agent = Agent.named("a").model(model).tools(tool).build();
    var result = agent.run("Go.", options);
    assertThat(result).isInstanceOf(AgentResult.Partial.class);
    assertThat(result.report().reason()).isEqualTo(StopReason.CANCELLED);
    assertThat(model.calls()).isEqualTo(1);
    assertThat(sent)
        .extracting(this::state)
        .containsExactly(Steering.State.SUPERSEDED, Steering.State.APPLIED);
  }

  @Test
  void a_pause_becomes_a_question_and_later_commands_wait() throws InterruptedException {
    var model = works("Done.");
    var sent = new ArrayList<String>();
    var tool =
        meanwhile(() -> {
          sent.add(human(new Steer.Pause("Wait for me.")));
          sent.add(human(new Steer.AddInstruction("Be brief.")));
        });
    var agent = Agent.named("a").model(model).tools(tool).build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
    assertThat(Steering.PAUSED.read(waiting.questions().getFirst())).isEqualTo("Wait for me.");
    assertThat(state(sent.get(1))).isEqualTo(Steering.State.DEFERRED);
    var yes = Steering.PAUSED.answer(waiting.questions().getFirst(), Approval.yes());
    var result = agent.resume(Answers.none().and(yes), options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(texts(model.requests().getLast())).contains("Instruction: Be brief.");
    assertThat(state(sent.get(1))).isEqualTo(Steering.State.APPLIED);
  }

  @Test
  @Tag("T64")
  void a_question_for_a_person_survives_the_process() throws InterruptedException {
    var model = works("Done.");
    var tool = meanwhile(() -> human(new Steer.AskClarifyingQuestion("Which city?")));
    var agent = Agent.named("a").model(model).tools(tool).build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
    // Another process knows nothing of the steering.
    var elsewhere = RunOptions.thread("t").checkpoints(store);
    var answer = Steering.CLARIFY.answer(waiting.questions().getFirst(), "Oslo");
    assertThat(agent.resume(Answers.none().and(answer), elsewhere).answer()).isEqualTo("Done.");
    assertThat(texts(model.requests().getLast())).endsWith("Which city?", "Oslo");
  }

  @Test
  void steering_may_decide_a_call_that_waits_for_approval() throws InterruptedException {
    var ran = new AtomicInteger();
    var pay = Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "" + ran.incrementAndGet());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("p1", "pay", "{}")),
            ScriptedModel.calls(new ToolCall("p2", "pay", "{}")),
            ScriptedModel.text("Done."));
    var agent =
        Agent.named("a").model(model).tools(pay).gate(ToolGate.open().confirming("pay")).build();
    var approved = human(new Steer.Approve("p1"));
    var left = human(new Steer.Approve("p9"));
    human(new Steer.Reject("p2", "No."));
    var result = agent.run("Go.", options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(ran).hasValue(1);
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .contains("A person rejected the call. No.");
    assertThat(state(approved)).isEqualTo(Steering.State.APPLIED);
    assertThat(state(left)).isEqualTo(Steering.State.FAILED);
  }

  @Test
  void if_steering_decides_only_some_calls_a_person_decides_all() throws InterruptedException {
    var ran = new AtomicInteger();
    var pay = Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "" + ran.incrementAndGet());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("p1", "pay", "{}"), new ToolCall("p2", "pay", "{}")),
            ScriptedModel.text("Done."));
    var agent =
        Agent.named("a").model(model).tools(pay).gate(ToolGate.open().confirming("pay")).build();
    var approving =
        Steering.of(
            SteeringPolicy.only(Steer.Approve.class),
            () -> Instant.EPOCH,
            () -> "cmd-" + ids.incrementAndGet());
    var approved = approving.human("ada", new Steer.Approve("p1"));
    var rejected = approving.human("ada", new Steer.Reject("p2", "No."));
    var on = RunOptions.thread("t").checkpoints(store).with(Steering.KEY, approving);
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", on);
    assertThat(Review.QUESTION.read(waiting.questions().getFirst()).actions()).hasSize(2);
    assertThat(ran).hasValue(0);
    assertThat(approving.status(rejected).orElseThrow().state()).isEqualTo(Steering.State.REJECTED);
    assertThat(approving.status(approved).orElseThrow().state())
        .isEqualTo(Steering.State.SUPERSEDED);
  }

  @Test
  @Tag("T62")
  void an_agent_can_steer_only_its_own_sub_agents() throws InterruptedException {
    var sent = new ArrayList<String>();
    var inside = works("Inner done.");
    var tool =
        meanwhile(() -> {
          var boss = steering.status().getFirst().run();
          var self = steering.status().getLast().run();
          sent.add(told(self, boss, new Steer.ProvideContext("From above.")));
          sent.add(told(self, "somebody", new Steer.Cancel("From aside.")));
          sent.add(told("gone", boss, new Steer.Cancel("Too late.")));
        });
    var helper = Agent.named("helper").model(inside).tools(tool).build();
    var outer =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c", "helper", "{\"task\":\"x\"}")),
            ScriptedModel.text("Done."));
    var agent = Agent.named("boss").model(outer).agent(helper, "Helps.").build();
    assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
    assertThat(texts(inside.requests().getLast())).contains("Context: From above.");
    assertThat(sent)
        .extracting(this::state)
        .containsExactly(Steering.State.APPLIED, Steering.State.REJECTED, Steering.State.REJECTED);
  }

  private String told(String target, String by, Steer steer) {
    return steering.send(
        steering.command(
            new SteeringCommand.Target.Run(target),
            new SteeringCommand.Actor.ParentAgent(by),
            steer));
  }

  @Test
  void a_budget_can_be_lowered_and_not_raised() throws InterruptedException {
    var model = works("Never said.");
    var tool =
        meanwhile(() -> {
          human(new Steer.UpdateBudget(Optional.of(1L), Optional.empty()));
          human(new Steer.UpdateBudget(Optional.of(9L), Optional.empty()));
        });
    var agent = Agent.named("a").model(model).tools(tool).onLimit(OnLimit.RETURN_PARTIAL).build();
    var result = agent.run("Go.", options);
    assertThat(result.report().reason()).isEqualTo(StopReason.BUDGET_LIMIT);
    assertThat(model.calls()).isEqualTo(1);
  }
}
