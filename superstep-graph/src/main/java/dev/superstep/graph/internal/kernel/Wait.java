package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The event that an unfinished task or run waits for.
public sealed interface Wait {
  /// Answers to questions, in task order.
  record ForAnswers(List<Interrupt> questions) implements Wait {}

  /// The resumption of the thread.
  record ForResume(Outcome.Reason why) implements Wait {}

  /// A run that may begin more tasks.
  record ForTurn() implements Wait {}

  /// The wait of a graph that was stopped.
  static Wait stopped(Outcome.Reason why) {
    return why == Outcome.Reason.TASK_LIMIT ? new ForTurn() : new ForResume(why);
  }

  /// The wait of a superstep, from those of its tasks: for a resume at a breakpoint before anything
  /// else, and for its turn only if no question is open.
  ///
  /// @return null if no task waits, or one has failed
  static @Nullable Wait of(List<TaskResult> ends) {
    Wait stop = null;
    List<Interrupt> questions = List.of();
    for (var end : ends) {
      switch (end) {
        case TaskResult.Failed _ -> {
          return null;
        }
        case TaskResult.Waiting(ForAnswers(var asked)) -> {
          if (questions.isEmpty()) questions = new ArrayList<>();
          questions.addAll(asked);
        }
        case TaskResult.Waiting(var wait) -> {
          if (stop == null || wait.isBreakpoint()) stop = wait;
        }
        case TaskResult.Finished _ -> {}
      }
    }
    if (questions.isEmpty()) return stop;
    return stop instanceof ForResume ? stop : new ForAnswers(questions);
  }

  private boolean isBreakpoint() {
    return this instanceof ForResume(var why) && why == Outcome.Reason.PAUSED;
  }

  /// The open questions; none if it waits for something else.
  default List<Interrupt> questions() {
    return this instanceof ForAnswers(var questions) ? questions : List.of();
  }

  /// The outcome of a run that waits.
  ///
  /// @param at the state of the run
  default Outcome outcome(State at) {
    return switch (this) {
      case ForAnswers(var questions) -> new Outcome.Interrupted(questions);
      case ForResume(var why) -> new Outcome.Stopped(why, at);
      case ForTurn() -> new Outcome.Stopped(Outcome.Reason.TASK_LIMIT, at);
    };
  }
}
