package dev.superstep.goal;

import static dev.superstep.goal.GoalStatus.ACTIVE;
import static dev.superstep.goal.GoalStatus.BUDGET_LIMITED;
import static dev.superstep.goal.GoalStatus.COMPLETE;
import static dev.superstep.goal.GoalStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.budget.Spend;
import dev.superstep.model.Usage;
import dev.superstep.store.InMemoryStore;
import dev.superstep.testkit.ManualClock;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@Tag("T107")
class GoalsTest {
  private final ManualClock clock = ManualClock.at("2026-01-02T03:04:05Z");
  private final Goals goals = Goals.in(InMemoryStore.open()).clock(clock);

  private static Spend tokens(long tokens) {
    return new Spend(1, new Usage(tokens, 0, 0, 0), BigDecimal.ZERO);
  }

  private Goal set(GoalBudget budget) {
    return goals.set("t", "Climb.", budget);
  }

  @Test
  void turn_follows_turn_until_the_goal_is_complete() throws Exception {
    set(GoalBudget.unlimited());
    var seen = new ArrayList<Long>();
    var loop =
        GoalLoop.of(
            goals,
            (goal, _) -> {
              seen.add(goal.turns());
              return goal.turns() == 3 ? GoalTurn.complete("on top") : GoalTurn.again();
            });
    var goal = loop.run("t");
    assertThat(seen).containsExactly(1L, 2L, 3L);
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.note()).isEqualTo("on top");
    assertThat(goals.get("t")).isEqualTo(goal);
    assertThat(loop.run("t")).as("and then nothing more is done").isEqualTo(goal);
    assertThat(seen).hasSize(3);
  }

  @Test
  void a_goal_that_has_used_up_its_turns_is_limited_until_it_is_raised_and_resumed()
      throws Exception {
    set(GoalBudget.unlimited().turns(2));
    var loop = GoalLoop.of(goals, (_, _) -> GoalTurn.again());
    assertThat(loop.run("t").status()).isEqualTo(BUDGET_LIMITED);
    assertThat(goals.get("t").turns()).isEqualTo(2);
    assertThatThrownBy(() -> goals.resume("t"))
        .isInstanceOf(GoalBudgetExhausted.class)
        .hasMessageContaining("2 turns");
    assertThat(goals.raise("t", GoalBudget.unlimited().turns(5)).status())
        .isEqualTo(BUDGET_LIMITED);
    assertThat(loop.run("t").turns()).as("raised is not resumed").isEqualTo(2);
    goals.resume("t");
    assertThat(loop.run("t").turns()).isEqualTo(5);
  }

  @Test
  void spending_is_counted_and_using_the_last_token_limits_the_goal() throws Exception {
    set(GoalBudget.unlimited().tokens(100));
    var loop = GoalLoop.of(goals, (_, _) -> GoalTurn.again().spending(tokens(33)));
    assertThat(loop.turnLimit(3).run("t").status()).isEqualTo(ACTIVE);
    assertThat(goals.get("t").spent().usage().total()).isEqualTo(99);
    assertThat(goals.get("t").isUsedUp()).isFalse();
    var last = GoalLoop.of(goals, (_, _) -> GoalTurn.again().spending(tokens(1)));
    assertThat(last.run("t").status()).isEqualTo(BUDGET_LIMITED);
    assertThat(goals.get("t").spent())
        .isEqualTo(tokens(33).plus(tokens(33)).plus(tokens(33)).plus(tokens(1)));
  }

  @Test
  void a_goal_that_is_reached_with_its_last_token_is_complete() throws Exception {
    set(GoalBudget.unlimited().tokens(10).turns(1));
    var loop = GoalLoop.of(goals, (_, _) -> GoalTurn.complete("").spending(tokens(11)));
    assertThat(loop.run("t").status()).isEqualTo(COMPLETE);
  }

  @Test
  void pausing_a_goal_during_a_turn_stops_the_next_turn() throws Exception {
    set(GoalBudget.unlimited());
    var loop =
        GoalLoop.of(
            goals,
            (_, _) -> {
              goals.pause("t", "lunch");
              return GoalTurn.again().spending(tokens(5));
            });
    var goal = loop.run("t");
    assertThat(goal.status()).isEqualTo(PAUSED);
    assertThat(goal.note()).isEqualTo("lunch");
    assertThat(goal.spent()).isEqualTo(tokens(5));
    assertThat(goal.isOpen()).isFalse();
    assertThat(goals.resume("t").status()).isEqualTo(ACTIVE);
  }

  @Test
  void a_failed_turn_is_counted_and_resumed() throws Exception {
    set(GoalBudget.unlimited());
    var turns = new ArrayList<Long>();
    var loop =
        GoalLoop.of(
            goals,
            (goal, _) -> {
              turns.add(goal.turns());
              if (turns.size() == 1) throw new IOException("rope");
              return GoalTurn.complete("").spending(tokens(7));
            });
    assertThatThrownBy(() -> loop.run("t"))
        .isInstanceOf(GoalWorkFailed.class)
        .hasMessageContaining("Turn 1")
        .hasMessageContaining("rope");
    assertThat(goals.get("t").status()).isEqualTo(ACTIVE);
    assertThat(goals.get("t").isOpen()).isTrue();
    assertThat(loop.run("t").spent()).isEqualTo(tokens(7));
    assertThat(turns).containsExactly(1L, 1L);
  }

  @Test
  void a_suspended_turn_pauses_the_goal_and_resumes_as_the_same_turn() throws Exception {
    set(GoalBudget.unlimited().turns(1));
    var loop =
        GoalLoop.of(
            goals,
            (goal, _) ->
                goal.spent().equals(Spend.NONE)
                    ? GoalTurn.suspend("waits").spending(tokens(3))
                    : GoalTurn.complete("").spending(tokens(4)));
    var waiting = loop.run("t");
    assertThat(waiting.status()).isEqualTo(PAUSED);
    assertThat(waiting.isOpen()).isTrue();
    goals.resume("t");
    var goal = loop.run("t");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.turns()).isEqualTo(1);
    assertThat(goal.spent()).isEqualTo(tokens(3).plus(tokens(4)));
  }

  @Test
  void a_gate_of_ones_own_decides_as_well_and_listeners_hear_of_every_turn() throws Exception {
    set(GoalBudget.unlimited());
    var heard = new ArrayList<String>();
    var loop =
        GoalLoop.of(goals, (_, _) -> GoalTurn.again())
            .gate(goal -> goal.turns() < 2)
            .listener(goal -> heard.add(goal.turns() + " " + goal.status()));
    assertThat(loop.run("t").status()).isEqualTo(ACTIVE);
    assertThat(heard).containsExactly("1 ACTIVE", "2 ACTIVE");
  }

  @Test
  void a_turn_that_ends_after_its_goal_was_replaced_does_not_touch_the_new_one() throws Exception {
    set(GoalBudget.unlimited());
    var loop =
        GoalLoop.of(
            goals,
            (_, _) -> {
              goals.complete("t", "elsewhere");
              clock.advance(java.time.Duration.ofSeconds(1));
              goals.set("t", "Swim.", GoalBudget.unlimited().turns(0));
              return GoalTurn.complete("").spending(tokens(9));
            });
    var goal = loop.run("t");
    assertThat(goal.objective()).isEqualTo("Swim.");
    assertThat(goal.spent()).isEqualTo(Spend.NONE);
    assertThat(goal.status()).isEqualTo(BUDGET_LIMITED);
  }

  @Test
  void a_thread_has_one_goal() {
    set(GoalBudget.unlimited());
    assertThatThrownBy(() -> set(GoalBudget.unlimited())).isInstanceOf(GoalExists.class);
    goals.complete("t", "");
    assertThat(set(GoalBudget.unlimited()).status()).isEqualTo(ACTIVE);
    assertThat(goals.clear("t")).isTrue();
    assertThatThrownBy(() -> goals.get("t")).isInstanceOf(NoGoal.class);
    assertThatThrownBy(() -> goals.pause("t", "")).isInstanceOf(NoGoal.class);
  }

  @Test
  void goals_are_found_by_how_they_stand() {
    for (var thread : List.of("a", "b", "c")) goals.set(thread, "Go.", GoalBudget.unlimited());
    goals.pause("b", "");
    assertThat(goals.withStatus(PAUSED)).extracting(Goal::thread).containsExactly("b");
    assertThat(goals.withStatus(ACTIVE)).extracting(Goal::thread).containsExactly("c", "a");
    assertThat(goals.withStatus(COMPLETE)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> every_illegal_transition_names_both_statuses() {
    return Stream.of(GoalStatus.values())
        .flatMap(from ->
            Stream.of(PAUSED, ACTIVE, COMPLETE)
                .map(to -> DynamicTest.dynamicTest(from + " to " + to, () -> tryOut(from, to))));
  }

  private void tryOut(GoalStatus from, GoalStatus to) throws InterruptedException {
    var fresh = Goals.in(InMemoryStore.open()).clock(clock);
    fresh.set("t", "Go.", GoalBudget.unlimited());
    switch (from) {
      case ACTIVE -> {}
      case PAUSED -> fresh.pause("t", "");
      case BUDGET_LIMITED -> GoalLoop.of(fresh, (_, _) -> GoalTurn.limited("no")).run("t");
      case COMPLETE -> fresh.complete("t", "");
    }
    assertThat(fresh.get("t").status()).isEqualTo(from);
    if (from.next().contains(to)) {
      assertThat(move(fresh, to).status()).isEqualTo(to);
      return;
    }
    var error = catchThrowableOfType(IllegalGoalTransition.class, () -> move(fresh, to));
    assertThat(error.from()).isEqualTo(from);
    assertThat(error.to()).isEqualTo(to);
    assertThat(error).hasMessageContaining(from.name()).hasMessageContaining(to.name());
    assertThat(error.legal()).isEqualTo(from.next());
    assertThat(fresh.get("t").status()).isEqualTo(from);
  }

  private static Goal move(Goals goals, GoalStatus to) {
    return switch (to) {
      case PAUSED -> goals.pause("t", "");
      case ACTIVE -> goals.resume("t");
      case COMPLETE -> goals.complete("t", "");
      case BUDGET_LIMITED -> throw new IllegalArgumentException("nobody can ask for that");
    };
  }
}
