package dev.superstep.goal;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Ledger;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import java.util.function.Function;

/// An agent that works on goals: each turn is a run of the agent on the goal's thread, so its
/// conversation continues from turn to turn. The goal is completed by [GoalTools], or by an answer,
/// as decided by [#judging].
///
/// A turn that waits for a person pauses the goal. Resume it, and run the loop with the [#answers].
/// Immutable, safe for many threads.
///
/// @param <A> the form of the agent's answers
public final class AgentWork<A> implements GoalWork {
  private static final String TURN = "goal-turn";

  private final Agent<A> agent;
  private final Function<String, RunOptions> options;
  private final Function<A, GoalTurn> verdict;
  private final Function<Goal, String> prompt;
  private final Answers answers;

  private AgentWork(
      Agent<A> agent,
      Function<String, RunOptions> options,
      Function<A, GoalTurn> verdict,
      Function<Goal, String> prompt,
      Answers answers) {
    this.agent = agent;
    this.options = options;
    this.verdict = verdict;
    this.prompt = prompt;
    this.answers = answers;
  }

  /// Creates work by this agent. After each answer another turn follows, unless the goal is
  /// complete.
  ///
  /// @param options the options of a run on the thread of this name, with a checkpointer
  public static <A> AgentWork<A> of(Agent<A> agent, Function<String, RunOptions> options) {
    return new AgentWork<>(agent, options, _ -> GoalTurn.again(), AgentWork::asked, Answers.none());
  }

  /// Sets the function that decides what an answer means for the goal.
  public AgentWork<A> judging(Function<A, GoalTurn> judge) {
    return new AgentWork<>(agent, options, judge, prompt, answers);
  }

  /// Sets the function that makes the prompt of a turn. Without it, the first turn is asked for the
  /// objective, and later turns are asked to continue with it.
  public AgentWork<A> prompt(Function<Goal, String> words) {
    return new AgentWork<>(agent, options, verdict, words, answers);
  }

  /// Sets people's answers to the questions of a turn that waits for them.
  public AgentWork<A> answers(Answers given) {
    return new AgentWork<>(agent, options, verdict, prompt, given);
  }

  @Override
  public boolean recalls() {
    return true;
  }

  @Override
  public GoalTurn turn(Goal goal, Ledger ledger) throws InterruptedException {
    var number = goal.began() + "/" + goal.turns();
    var run = options.apply(goal.thread()).metadata(TURN, number).with(Agent.LEDGER, ledger);
    // Whether the thread has anything of this turn: else it had not begun when its process died.
    boolean isUnderWay =
        agent.graph().state(run).filter(s -> number.equals(s.metadata().get(TURN))).isPresent();
    return turn(isUnderWay ? agent.resume(answers, run) : agent.run(prompt.apply(goal), run));
  }

  private GoalTurn turn(AgentResult<A> result) {
    return switch (result) {
      case AgentResult.Answered<A>(var answer, var report) ->
          verdict.apply(answer).spending(report.spent());
      case AgentResult.Partial<A>(_, var report) -> partial(report).spending(report.spent());
      case AgentResult.Waiting<A>(var questions) ->
          GoalTurn.suspend("waits for " + questions.size() + " answers of people");
      case AgentResult.Stopped<A>(var reason) when reason == Outcome.Reason.DRAINED ->
          GoalTurn.later();
      case AgentResult.Stopped<A>(var reason) -> GoalTurn.suspend("was stopped: " + reason);
    };
  }

  private static GoalTurn partial(AgentReport report) {
    if (report.reason() == StopReason.CANCELLED) return GoalTurn.pause("was cancelled");
    // One that could ask at all may have met a budget of its own, which begins anew.
    boolean isLimited = report.reason() == StopReason.BUDGET_LIMIT && report.modelCalls() == 0;
    return isLimited ? GoalTurn.limited("the next call does not fit") : GoalTurn.again();
  }

  private static String asked(Goal goal) {
    return goal.turns() == 1 ? goal.objective() : "Go on with your goal: " + goal.objective();
  }

  @Override
  public String toString() {
    return "AgentWork[" + agent.name() + "]";
  }
}
