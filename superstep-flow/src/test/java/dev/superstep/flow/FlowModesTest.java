package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.Retrying;
import dev.superstep.middleware.Tracing;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Problem;
import dev.superstep.testkit.ManualClock;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a flow may be made of, how it is limited, and how it is watched and changed meanwhile.
class FlowModesTest {
  record Task(String text) {}

  record Plan(String text) {}

  record Answer(String text) {}

  record None() {}

  /// A type with the name of another.
  static final class Elsewhere {
    record Plan(int steps) {}

    @SchemaName("OtherPlan")
    record Named(int steps) {}
  }

  private static final Tool TIME = Tool.of("time", "Tells it.", None.class, (_, _) -> "noon");
  private static final ToolCall ASK_TIME = new ToolCall("c1", "time", "{}");

  private static FlowBuilder<Task, Answer> flow() {
    return Flow.named("flow", Task.class, Answer.class);
  }

  private static AgentBuilder clerk(ScriptedModel model) {
    return Agent.named("clerk").model(model).instructions("Be brief.");
  }

  @Test
  @Tag("X3")
  void two_types_with_one_short_name_are_refused_with_both_class_names() throws Exception {
    var twins =
        flow()
            .map(Task.class, Plan.class, t -> new Plan(t.text()))
            .map(Plan.class, Elsewhere.Plan.class, p -> new Elsewhere.Plan(p.text().length()))
            .map(Elsewhere.Plan.class, Answer.class, p -> new Answer("" + p.steps()));
    var refused = catchThrowableOfType(FlowError.Invalid.class, twins::build);
    assertThat(refused)
        .hasMessageContaining(Plan.class.getName())
        .hasMessageContaining(Elsewhere.Plan.class.getName());
    var named =
        flow()
            .map(Task.class, Plan.class, t -> new Plan(t.text()))
            .map(Plan.class, Elsewhere.Named.class, p -> new Elsewhere.Named(p.text().length()))
            .map(Elsewhere.Named.class, Answer.class, p -> new Answer("" + p.steps()))
            .build();
    assertThat(named.outline()).contains("Task").contains("Plan").contains("OtherPlan");
    assertThat(named.run(new Task("four")).output()).isEqualTo(new Answer("4"));
  }

  @Test
  @Tag("P5")
  void an_agent_that_gives_what_it_takes_and_a_model_without_a_name_are_errors() {
    var same =
        flow()
            .map(Task.class, Plan.class, t -> new Plan(t.text()))
            .agent(Plan.class, Plan.class, clerk(ScriptedModel.saying()).answering(Plan.class))
            .map(Plan.class, Answer.class, p -> new Answer(p.text()));
    assertThat(catchThrowableOfType(FlowError.Invalid.class, same::build).problems())
        .extracting(Problem::code)
        .contains("same-agent");
    for (var empty : List.of("", " ", "openai://", "openai:")) {
      assertThatThrownBy(() -> ModelRef.parse(empty))
          .as(empty)
          .isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(() -> Agent.named("clerk").answering(Answer.class))
        .hasMessageContaining("no model");
  }

  private static FlowRun<Task, Answer> planned(ScriptedModel model, RunOptions options)
      throws InterruptedException {
    return flow()
        .map(Task.class, Plan.class, t -> new Plan(t.text()))
        .agent(Plan.class, Answer.class, clerk(model).tools(TIME).answering(Answer.class))
        .build()
        .start(new Task("When?"), options);
  }

  private static ScriptedModel answeringLater() {
    return ScriptedModel.replying(
        ScriptedModel.calls(ASK_TIME),
        ScriptedModel.calls(new ToolCall("c2", "answer", "{\"text\":\"noon\"}")));
  }

  @Test
  @Tag("P39")
  void each_limit_ends_a_run_that_goes_on_afterwards_also_from_a_snapshot() throws Exception {
    var clock = ManualClock.at("2026-01-01T00:00:00Z");
    var slow =
        ScriptedModel.by(request -> {
          clock.advance(Duration.ofMinutes(2));
          return request.messages().size() < 4
              ? ScriptedModel.calls(ASK_TIME)
              : ScriptedModel.calls(new ToolCall("c2", "answer", "{\"text\":\"noon\"}"));
        });
    var options = RunOptions.defaults().clock(clock);
    var run = planned(slow, options);
    assertThat(run.runUntil(FlowLimits.none().time(Duration.ofMinutes(1))))
        .isEqualTo(new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.TIME));
    assertThat(run.runUntil(FlowLimits.none().steps(1)))
        .isEqualTo(new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.STEPS));
    assertThatThrownBy(() -> run.runUntil(FlowLimits.none().turns(0)))
        .isInstanceOf(FlowError.LimitError.class);
    assertThat(run.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Answer("noon")));
    assertThat(slow.requests()).hasSize(2);
    var other = planned(answeringLater(), RunOptions.defaults());
    assertThat(other.runUntil(FlowLimits.none().steps(1)))
        .isEqualTo(new FlowOutcome.LimitExceeded<>(FlowLimits.Limit.STEPS));
    var restored =
        flow()
            .map(Task.class, Plan.class, t -> new Plan(t.text()))
            .agent(
                Plan.class,
                Answer.class,
                clerk(answeringLater()).tools(TIME).answering(Answer.class))
            .build()
            .fromSnapshot(other.snapshot());
    assertThat(restored.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Answer("noon")));
  }

  @Test
  @Tag("P39")
  void more_depth_than_allowed_is_an_error_that_does_not_lose_the_run() throws Exception {
    var inner =
        Agent.named("inner")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("i1", "time", "{}")),
                    ScriptedModel.text("noon")))
            .tools(TIME)
            .build();
    var outer =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "inner", "{\"task\":\"When?\"}")),
            ScriptedModel.calls(new ToolCall("c2", "answer", "{\"text\":\"noon\"}")));
    var run =
        flow()
            .agent(
                Task.class,
                Answer.class,
                clerk(outer).agent(inner, "Knows.").answering(Answer.class))
            .build()
            .start(new Task("When?"));
    assertThatThrownBy(() -> run.runUntil(FlowLimits.none().depth(1)))
        .isInstanceOfSatisfying(
            FlowError.LimitError.class, e -> assertThat(e.what()).isEqualTo("depth"));
    assertThat(run.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Answer("noon")));
    assertThat(outer.requests()).hasSize(2);
  }

  @Test
  @Tag("W41")
  void text_ends_no_agent_that_has_tools_and_its_history_holds_only_what_was_said()
      throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.text("It is noon."),
            ScriptedModel.calls(new ToolCall("c2", "answer", "{\"text\":\"noon\"}")));
    var store = new InMemoryCheckpointer();
    var agent = clerk(model).tools(TIME).answering(Answer.class);
    var options = RunOptions.thread("t").checkpoints(store);
    assertThat(agent.run("When?", options).answer()).isEqualTo(new Answer("noon"));
    assertThat(model.requests()).as("prose was no answer").hasSize(2);
    var said = agent.graph().state(options).orElseThrow().state().get(agent.messages());
    assertThat(said.getFirst().text()).isEqualTo("When?");
    assertThat(said).extracting(Message::text).doesNotContain("Be brief.");
    assertThat(said.get(1).text()).isEqualTo("It is noon.");
    assertThat(said.get(2).text()).contains("answer");
  }

  @Test
  @Tag("P40")
  void a_flow_is_steered_retried_traced_inspected_and_goes_on_with_its_saved_history()
      throws Exception {
    var failures = new AtomicInteger(1);
    var script = answeringLater();
    var model =
        ScriptedModel.by(request -> {
          if (failures.getAndDecrement() > 0) {
            throw new ModelException(ModelException.Kind.OVERLOADED, "busy");
          }
          try {
            return script.call(request);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    var steering = Steering.standard();
    var events = new ArrayList<Event>();
    var options =
        RunOptions.defaults().with(Steering.KEY, steering).listener(events::add).sleeper(_ -> {});
    var agent = clerk(model).tools(TIME).middleware(Tracing.all(Retrying.times(2)));
    var definition =
        flow()
            .map(Task.class, Plan.class, t -> new Plan(t.text()))
            .agent(Plan.class, Answer.class, agent.answering(Answer.class))
            .build();
    var run = definition.start(new Task("When?"), options);
    while (script.requests().isEmpty()) run.next();
    steering.human("ada", new Steer.AddInstruction("In German."));
    assertThat(run.state().inside()).as("what it does can be looked at").isNotEmpty();
    var snapshot = run.snapshot();
    var history = run.history();
    var restored = definition.fromSnapshot(snapshot, options).withHistory(history);
    assertThat(restored.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Answer("noon")));
    assertThat(script.requests()).hasSize(2);
    assertThat(script.requests().getLast().messages())
        .extracting(Message::text)
        .anyMatch(text -> text.contains("In German."));
    assertThat(events)
        .filteredOn(Event.NodeEmitted.class::isInstance)
        .extracting(event -> ((Event.NodeEmitted) event).name())
        .contains("retry.scheduled", "middleware.completed", "agent.steered");
  }
}
