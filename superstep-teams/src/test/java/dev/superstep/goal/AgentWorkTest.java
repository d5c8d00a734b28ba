package dev.superstep.goal;

import static dev.superstep.goal.GoalStatus.ACTIVE;
import static dev.superstep.goal.GoalStatus.BUDGET_LIMITED;
import static dev.superstep.goal.GoalStatus.COMPLETE;
import static dev.superstep.goal.GoalStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Drain;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T107")
class AgentWorkTest {
  private static final String REACHED = "{\"result\":\"12 letters\"}";

  record None() {}

  private static final Tool PAY = Tool.of("pay", "Pays.", None.class, (_, _) -> "paid");

  private final Goals goals = Goals.in(InMemoryStore.open());
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(threads);
  }

  private AgentBuilder clerk(ScriptedModel model) {
    return Agent.named("clerk").model(model).tools(GoalTools.of(goals));
  }

  private GoalLoop loop(Agent<String> agent) {
    return GoalLoop.of(goals, AgentWork.of(agent, this::options));
  }

  private static ChatReply calls(String tool, String arguments) {
    return ScriptedModel.calls(new ToolCall("c", tool, arguments));
  }

  /// A reply that takes 10 tokens for the prompt and 5 for the answer.
  private static ChatReply costing(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(10, 0, 5, 0), ChatReply.Finish.STOP);
  }

  @Test
  void an_agent_continues_until_it_declares_the_goal_complete() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.text("I have begun."),
            ScriptedModel.text("Half of it."),
            calls("goal_complete", REACHED),
            ScriptedModel.text("All answered."));
    goals.set("ann", "Answer all letters.", GoalBudget.unlimited().turns(9));
    var goal = loop(clerk(model).build()).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.note()).isEqualTo("12 letters");
    assertThat(goal.turns()).isEqualTo(3);
    assertThat(goal.spent().calls()).isEqualTo(4);
    var last = model.requests().getLast().messages();
    assertThat(last.toString())
        .as("one conversation")
        .contains("Answer all letters.", "I have begun.", "Go on with your goal");
  }

  @Test
  void a_drain_between_turns_leaves_the_goal_active_and_a_later_loop_continues() throws Exception {
    var drain = new Drain();
    var model =
        ScriptedModel.replying(
            ScriptedModel.text("I have begun."),
            calls("goal_complete", REACHED),
            ScriptedModel.text("All answered."));
    goals.set("ann", "Answer all letters.", GoalBudget.unlimited().turns(9));
    var work = AgentWork.of(clerk(model).build(), thread -> options(thread).drain(drain));
    var loop = GoalLoop.of(goals, work);
    var goal = loop.listener(_ -> drain.start()).run("ann");
    assertThat(goal.status()).isEqualTo(ACTIVE);
    assertThat(model.requests()).hasSize(1);
    assertThat(loop.run("ann").status()).isEqualTo(ACTIVE);
    drain.stop();
    var done = loop.run("ann");
    assertThat(done.status()).isEqualTo(COMPLETE);
    assertThat(done.turns()).isEqualTo(2);
    assertThat(done.spent().calls()).isEqualTo(3);
  }

  @Test
  void a_drain_in_the_middle_of_a_turn_leaves_the_goal_active_with_that_turn() throws Exception {
    var drain = new Drain();
    var tool =
        Tool.of(
            "work",
            "Works.",
            None.class,
            (_, _) -> {
              drain.start();
              return "worked";
            });
    var model =
        ScriptedModel.replying(
            calls("work", "{}"), calls("goal_complete", REACHED), ScriptedModel.text("Done."));
    goals.set("ann", "Answer all letters.", GoalBudget.unlimited().turns(9));
    var work = AgentWork.of(clerk(model).tools(tool).build(), t -> options(t).drain(drain));
    var goal = GoalLoop.of(goals, work).run("ann");
    assertThat(goal.status()).isEqualTo(ACTIVE);
    assertThat(model.requests()).hasSize(1);
    drain.stop();
    var done = GoalLoop.of(goals, work).run("ann");
    assertThat(done.status()).isEqualTo(COMPLETE);
    assertThat(done.turns()).isEqualTo(1);
    assertThat(done.spent().calls()).isEqualTo(3);
  }

  @Test
  void an_agent_sees_its_goal_and_the_rest_of_the_budget() throws Exception {
    var model =
        ScriptedModel.replying(
            calls("goal_show", "{}"), calls("goal_complete", REACHED), costing(""), costing("ok"));
    goals.set("ann", "Answer all letters.", GoalBudget.unlimited().turns(3).tokens(70_000));
    loop(clerk(model).build()).run("ann");
    assertThat(model.requests().get(1).messages().getLast().toString())
        .contains("Answer all letters.", "ACTIVE", "\"turnsLeft\":2", "\"tokensLeft\":70000");
  }

  @Test
  void a_typed_answer_decides_whether_the_goal_is_complete() throws Exception {
    record Report(boolean done, String text) {}
    var model =
        ScriptedModel.saying(
            "{\"done\":false,\"text\":\"one\"}", "{\"done\":true,\"text\":\"both\"}");
    var agent = Agent.named("clerk").model(model).answering(Report.class);
    var work =
        AgentWork.of(agent, this::options)
            .judging(r -> r.done() ? GoalTurn.complete(r.text()) : GoalTurn.again());
    goals.set("ann", "Both.", GoalBudget.unlimited());
    var goal = GoalLoop.of(goals, work).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.note()).isEqualTo("both");
    assertThat(goal.turns()).isEqualTo(2);
  }

  @Test
  @Tag("T53")
  void calls_of_models_never_go_over_the_budget_of_the_goal() throws Exception {
    var model = ScriptedModel.by(_ -> costing("More."));
    var agent = clerk(model).build();
    goals.set("ann", "Answer.", GoalBudget.unlimited().calls(3));
    var goal = loop(agent).run("ann");
    assertThat(goal.status()).isEqualTo(BUDGET_LIMITED);
    assertThat(model.calls()).isEqualTo(3);
    assertThat(goal.spent().calls()).isEqualTo(3);
    assertThat(goal.spent().usage().total()).isEqualTo(45);
  }

  @Test
  @Tag("T53")
  void a_call_that_does_not_fit_limits_the_goal_and_is_made_when_it_is_raised() throws Exception {
    var model =
        ScriptedModel.replying(
            calls("pay", "{}"),
            ScriptedModel.text("Paid."),
            calls("goal_complete", REACHED),
            ScriptedModel.text("Done."));
    var agent = clerk(model).tools(PAY).build();
    goals.set("ann", "Pay.", GoalBudget.unlimited().calls(1));
    var limited = loop(agent).run("ann");
    assertThat(limited.status()).isEqualTo(BUDGET_LIMITED);
    assertThat(limited.note()).contains("The budget of `goal of ann` allows 1 calls");
    assertThat(limited.isOpen()).isTrue();
    assertThat(limited.spent().calls()).isEqualTo(1);
    assertThat(model.calls()).isEqualTo(1);
    goals.raise("ann", GoalBudget.unlimited().calls(4));
    goals.resume("ann");
    var goal = loop(agent).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.turns()).isEqualTo(2);
    assertThat(goal.spent().calls()).as("the first call counts once").isEqualTo(4);
    assertThat(model.calls()).isEqualTo(4);
  }

  @Test
  void an_agent_that_returns_a_partial_result_limits_the_goal_too() throws Exception {
    var model = ScriptedModel.by(_ -> costing("More."));
    var agent = clerk(model).onLimit(OnLimit.RETURN_PARTIAL).build();
    goals.set("ann", "Answer.", GoalBudget.unlimited().tokens(30));
    var goal = loop(agent).run("ann");
    assertThat(goal.status()).isEqualTo(BUDGET_LIMITED);
    assertThat(goal.isOpen()).isFalse();
    assertThat(goal.spent().usage().total()).isLessThanOrEqualTo(30);
    assertThat(model.calls()).isEqualTo((int) goal.spent().calls());
    goals.raise("ann", GoalBudget.unlimited().tokens(100_000).turns(goal.turns() + 1));
    goals.resume("ann");
    assertThat(loop(agent).run("ann").spent().calls()).isEqualTo(goal.spent().calls() + 1);
  }

  @Test
  void the_prices_of_the_loop_enforce_a_budget_in_money() throws Exception {
    var model = ScriptedModel.by(_ -> costing("More."));
    Prices prices = (_, usage) -> Optional.of(BigDecimal.valueOf(usage.total()).movePointLeft(2));
    var agent = clerk(model).request(r -> r.withMaxTokens(5)).build();
    goals.set("ann", "Answer.", GoalBudget.unlimited().cost("10.00"));
    var goal = loop(agent).prices("USD", prices).turnLimit(2).run("ann");
    assertThat(goal.status()).isEqualTo(ACTIVE);
    assertThat(goal.spent().cost()).isEqualByComparingTo("0.30");
  }

  @Test
  void the_budget_of_the_agent_itself_is_another_matter() throws Exception {
    var model = ScriptedModel.by(_ -> calls("pay", "{}"));
    var agent = clerk(model).tools(PAY).budget(Budget.unlimited().calls(2)).build();
    goals.set("ann", "Pay.", GoalBudget.unlimited());
    assertThatThrownBy(() -> loop(agent).run("ann"))
        .isInstanceOf(BudgetExceeded.class)
        .hasMessageContaining("`clerk`");
    assertThat(goals.get("ann").status()).isEqualTo(ACTIVE);
    assertThat(goals.get("ann").spent().calls()).isEqualTo(2);
  }

  @Test
  void a_question_to_a_person_pauses_the_goal_until_it_is_answered() throws Exception {
    var model =
        ScriptedModel.replying(
            calls("pay", "{}"), calls("goal_complete", REACHED), ScriptedModel.text("Done."));
    var agent = clerk(model).tools(PAY).gate(ToolGate.open().confirming("pay")).build();
    goals.set("ann", "Pay.", GoalBudget.unlimited());
    var waiting = loop(agent).run("ann");
    assertThat(waiting.status()).isEqualTo(PAUSED);
    assertThat(waiting.note()).contains("waits for 1 answers");
    assertThat(waiting.isOpen()).isTrue();
    var question = agent.graph().state(options("ann")).orElseThrow().questions().getFirst();
    var approved = Review.Decisions.of(new Review.Decision.Approve());
    var answers = Answers.none().and(Review.QUESTION.answer(question, approved));
    goals.resume("ann");
    var work = AgentWork.of(agent, this::options).answers(answers);
    var goal = GoalLoop.of(goals, work).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.turns()).isEqualTo(1);
    assertThat(goal.spent().calls()).isEqualTo(3);
  }

  @Test
  void a_turn_whose_model_failed_is_resumed_and_asks_nothing_again() throws Exception {
    var model = ScriptedModel.replying(calls("pay", "{}"));
    var agent = clerk(model).tools(PAY).build();
    goals.set("ann", "Pay.", GoalBudget.unlimited());
    assertThatThrownBy(() -> loop(agent).run("ann")).isInstanceOf(ModelException.class);
    assertThat(goals.get("ann").isOpen()).isTrue();
    long before = goals.get("ann").spent().calls();
    var rest = ScriptedModel.replying(calls("goal_complete", REACHED), ScriptedModel.text("Done."));
    var goal = loop(clerk(rest).tools(PAY).build()).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.turns()).isEqualTo(1);
    assertThat(rest.requests().getFirst().messages().toString()).contains("paid");
    assertThat(before).as("the failed call counts, too").isEqualTo(2);
    assertThat(goal.spent().calls()).isEqualTo(4);
  }

  @Test
  void a_turn_that_ended_before_it_was_counted_is_counted_and_not_run_again() throws Exception {
    var model =
        ScriptedModel.replying(costing("One."), calls("goal_complete", REACHED), costing("Two."));
    var agent = clerk(model).build();
    goals.set("ann", "Count.", GoalBudget.unlimited());
    var work = AgentWork.of(agent, this::options);
    // As if the process died between the end of the run and the count of it.
    assertThatThrownBy(() ->
            GoalLoop.of(
                    goals,
                    new dev.superstep.goal.GoalWork() {
                      @Override
                      public GoalTurn turn(
                          dev.superstep.goal.Goal goal, dev.superstep.budget.Ledger ledger)
                          throws Exception {
                        work.turn(goal, dev.superstep.budget.Ledger.of("lost", Budget.unlimited()));
                        throw new IllegalStateException("killed");
                      }

                      @Override
                      public boolean recalls() {
                        return true;
                      }
                    })
                .run("ann"))
        .hasMessage("killed");
    assertThat(goals.get("ann").spent().calls()).isZero();
    var goal = GoalLoop.of(goals, work).run("ann");
    assertThat(goal.status()).isEqualTo(COMPLETE);
    assertThat(goal.turns()).isEqualTo(2);
    assertThat(goal.spent().calls()).isEqualTo(3);
    assertThat(goal.spent().usage().total()).isEqualTo(30);
    assertThat(model.calls()).isEqualTo(3);
  }
}
