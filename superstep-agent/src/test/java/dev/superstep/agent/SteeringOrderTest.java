package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.agent.steering.SteeringCommand.Actor;
import dev.superstep.agent.steering.SteeringCommand.Target;
import dev.superstep.agent.steering.SteeringPolicy;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ScriptedModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who may command what, and in which order it is done.
@Timeout(30)
@Tag("T63")
@Tag("T65")
@Tag("W30")
class SteeringOrderTest {
  private final AtomicInteger ids = new AtomicInteger();

  private Steering steering() {
    return Steering.of(
        SteeringPolicy.standard(), () -> Instant.EPOCH, () -> "cmd-" + ids.incrementAndGet());
  }

  private static List<String> heard(Steering steering) throws InterruptedException {
    var model = ScriptedModel.saying("Done.");
    var options =
        RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).with(Steering.KEY, steering);
    var _ = Agent.named("a").model(model).build().run("Go.", options);
    return model.requests().getFirst().messages().stream().skip(1).map(Message::text).toList();
  }

  @Test
  void commands_are_applied_by_priority_then_time_then_correlation_however_they_arrive()
      throws Exception {
    var all = new ArrayList<SteeringCommand>();
    for (int priority : new int[] {0, 5, -1}) {
      for (long second : new long[] {3, 1}) {
        for (var correlation : List.of("b", "a")) {
          var text = "%d %d %s".formatted(priority, second, correlation);
          all.add(
              new SteeringCommand(
                  "cmd-" + ids.incrementAndGet(),
                  new Target.Root(),
                  new Actor.Human("ada"),
                  new Steer.ProvideContext(text),
                  priority,
                  Instant.ofEpochSecond(second),
                  correlation));
        }
      }
    }
    var expected =
        all.stream()
            .sorted(
                Comparator.comparingInt((SteeringCommand c) -> -c.priority())
                    .thenComparing(SteeringCommand::created)
                    .thenComparing(SteeringCommand::correlation))
            .map(c -> "Context: " + ((Steer.ProvideContext) c.steer()).text())
            .toList();
    assertThat(expected).hasSize(12).first().isEqualTo("Context: 5 1 a");
    for (int seed = 0; seed < 50; seed++) {
      var shuffled = new ArrayList<>(all);
      Collections.shuffle(shuffled, new Random(seed));
      var steering = steering();
      for (var command : shuffled) steering.send(command);
      assertThat(heard(steering)).isEqualTo(expected);
    }
  }

  @Test
  void each_target_means_who_it_says_and_stale_ones_are_rejected() {
    var steering = steering();
    var root = new Steering.Status("boss", "run-1", 0, 0, 0);
    var inner = new Steering.Status("helper", "run-2", 0, 0, 0);
    var boss = steering.inbox(root, List.of(), "t");
    var helper = steering.inbox(inner, List.of("run-1"), "t");
    var context = new Steer.ProvideContext("x");
    var human = new Actor.Human("ada");
    var targets =
        List.of(
            new Target.Root(),
            new Target.OnThread("t"),
            new Target.Run("run-1"),
            new Target.Named("boss"),
            new Target.Run("run-2"),
            new Target.Named("helper"));
    for (var target : targets) steering.send(steering.command(target, human, context));
    assertThat(boss.poll()).extracting(SteeringCommand::target).isEqualTo(targets.subList(0, 4));
    assertThat(helper.poll()).extracting(SteeringCommand::target).isEqualTo(targets.subList(4, 6));
    for (var stale : List.of(new Target.Run("gone"), new Target.OnThread("other"))) {
      var sent = steering.send(steering.command(stale, human, context));
      assertThat(steering.status(sent).orElseThrow().state()).isEqualTo(Steering.State.REJECTED);
    }
  }

  @Test
  void agents_command_those_that_they_called_and_nobody_beside_them() {
    var steering = steering();
    var sibling = new Steering.Status("sibling", "run-3", 0, 0, 0);
    var inner = new Steering.Status("helper", "run-2", 0, 0, 0);
    var deep = new Steering.Status("deep", "run-4", 0, 0, 0);
    var _ = steering.inbox(new Steering.Status("boss", "run-1", 0, 0, 0), List.of(), "t");
    var _ = steering.inbox(inner, List.of("run-1"), "t");
    var _ = steering.inbox(sibling, List.of("run-1"), "t");
    var _ = steering.inbox(deep, List.of("run-1", "run-2"), "t");
    assertThat(state(steering, new Actor.ParentAgent("run-1"), "run-2")).isEqualTo("ACCEPTED");
    assertThat(state(steering, new Actor.ParentAgent("run-1"), "run-4")).isEqualTo("ACCEPTED");
    assertThat(state(steering, new Actor.ParentAgent("run-2"), "run-3")).isEqualTo("REJECTED");
    assertThat(state(steering, new Actor.ParentAgent("run-2"), "run-1")).isEqualTo("REJECTED");
    assertThat(state(steering, new Actor.ParentAgent("run-2"), "run-2")).isEqualTo("REJECTED");
    for (var other :
        List.of(
            new Actor.Human("ada"),
            new Actor.GraphSupervisor("desk"),
            new Actor.OfMiddleware("guard"),
            new Actor.Test())) {
      assertThat(state(steering, other, "run-3")).isEqualTo("ACCEPTED");
    }
  }

  private static String state(Steering steering, Actor actor, String run) {
    var context = new Steer.ProvideContext("x");
    var sent = steering.send(steering.command(new Target.Run(run), actor, context));
    return steering.status(sent).orElseThrow().state().name();
  }

  @Test
  @Tag("T64")
  void every_kind_of_command_is_dealt_with_and_told() throws Exception {
    var kinds =
        List.of(
            new Steer.AddInstruction("a"),
            new Steer.Say(new UserMessage("", "b")),
            new Steer.ReplaceInstruction("c"),
            new Steer.ProvideContext("d"),
            new Steer.ConstrainTools(Set.of()),
            new Steer.ConstrainModel("scripted://test"),
            new Steer.Resume(),
            new Steer.Redirect("e"),
            new Steer.RequestStatus(),
            new Steer.UpdateBudget(Optional.of(9L), Optional.empty()),
            new Steer.AskClarifyingQuestion("f?"),
            new Steer.Pause("g"),
            new Steer.Cancel("h"),
            new Steer.Approve("i"),
            new Steer.Reject("j", "k"));
    assertThat(kinds)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrderElementsOf(
            new LinkedHashSet<>(Arrays.asList(Steer.class.getPermittedSubclasses())));
    for (var kind : kinds) {
      var steering = steering();
      var sent = steering.human("ada", kind);
      var told = new ArrayList<AgentEvent>();
      var options =
          RunOptions.thread("t")
              .checkpoints(new InMemoryCheckpointer())
              .with(Steering.KEY, steering)
              .listener(AgentEvent.listener(told::add));
      var _ = Agent.named("a").model(ScriptedModel.saying("Done.")).build().run("Go.", options);
      boolean isDecision = kind instanceof Steer.Approve || kind instanceof Steer.Reject;
      assertThat(steering.status(sent).orElseThrow().state())
          .isEqualTo(isDecision ? Steering.State.FAILED : Steering.State.APPLIED);
      if (isDecision) continue;
      assertThat(told)
          .contains(
              new AgentEvent.Steered(
                  "a", sent, kind.getClass().getSimpleName(), "Human", "APPLIED"));
    }
  }

  @Test
  void a_command_that_is_deferred_is_told_as_that_and_applied_later() throws Exception {
    var steering = steering();
    steering.human("ada", new Steer.Pause("Wait."));
    var later = steering.human("ada", new Steer.AddInstruction("Be brief."));
    steering.human("ada", new Steer.Resume());
    var told = new ArrayList<String>();
    var options =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .with(Steering.KEY, steering)
            .listener(
                AgentEvent.listener(event -> {
                  if (event instanceof AgentEvent.Steered steered
                      && steered.command().equals(later)) {
                    told.add(steered.what());
                  }
                }));
    var _ = Agent.named("a").model(ScriptedModel.saying("Done.")).build().run("Go.", options);
    assertThat(told).containsExactly("DEFERRED", "APPLIED");
  }
}
