package dev.superstep.agent;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.run.Outcome;
import java.util.List;

/// The result of a run of an agent that did not throw. Immutable.
///
/// ```java
/// switch (agent.run("Refund order 17", options)) {
///   case Answered(var answer, _) -> show(answer);
///   case Waiting(var questions) -> ask(questions);
///   case Stopped(var reason) -> log(reason);
/// }
/// ```
///
/// @param <A> the form of the answer
public sealed interface AgentResult<A> {
  /// It has an answer.
  record Answered<A>(A answer, AgentReport report) implements AgentResult<A> {}

  /// It stopped at a limit, and its agent returns what it has:
  /// [dev.superstep.agent.run.OnLimit#RETURN_PARTIAL].
  ///
  /// @param text the last thing that its model said
  record Partial<A>(String text, AgentReport report) implements AgentResult<A> {}

  /// It waits for people. [Agent#resume] goes on with their answers, in whatever process.
  record Waiting<A>(List<Interrupt> questions) implements AgentResult<A> {
    public Waiting {
      questions = List.copyOf(questions);
    }

    /// Which questions, for logs; not what is asked.
    @Override
    public String toString() {
      return "Waiting" + questions.stream().map(q -> q.question() + " " + q.id()).toList();
    }
  }

  /// It was stopped on purpose and can be resumed.
  record Stopped<A>(Outcome.Reason reason) implements AgentResult<A> {}

  /// The answer, for those who expect one.
  ///
  /// @throws NotAnswered if it has none
  default A answer() {
    return switch (this) {
      case Answered<A>(var answer, _) -> answer;
      case Partial<A>(_, var report) -> throw new NotAnswered("it stopped: " + report.reason());
      case Waiting<A>(var questions) ->
          throw new NotAnswered("it waits for " + questions.size() + " answers of people");
      case Stopped<A>(var reason) -> throw new NotAnswered("it was stopped: " + reason);
    };
  }

  /// The report of the run.
  ///
  /// @throws NotAnswered if it has not ended
  default AgentReport report() {
    return switch (this) {
      case Answered<A>(_, var report) -> report;
      case Partial<A>(_, var report) -> report;
      case Waiting<A>(var questions) ->
          throw new NotAnswered("it waits for " + questions.size() + " answers of people");
      case Stopped<A>(var reason) -> throw new NotAnswered("it was stopped: " + reason);
    };
  }
}
