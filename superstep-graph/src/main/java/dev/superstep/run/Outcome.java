package dev.superstep.run;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.state.State;
import java.util.List;

/// The end of a run that did not throw.
public sealed interface Outcome {
  /// Nothing was left to do.
  record Completed(State state) implements Outcome {}

  /// Everything that could run has run; the rest waits for answers.
  ///
  /// @param questions all open questions of the thread, in task order
  record Interrupted(List<Interrupt> questions) implements Outcome {
    public Interrupted {
      questions = List.copyOf(questions);
    }
  }

  /// The run was stopped on purpose and can be resumed.
  ///
  /// @param state the state of the last finished superstep
  record Stopped(Reason reason, State state) implements Outcome {}

  /// Why a run was stopped.
  enum Reason {
    /// Someone cancelled it.
    CANCELLED,
    /// Its deadline came.
    DEADLINE,
    /// Someone asked it to stop after the supersteps that were at work:
    /// [dev.superstep.graph.RunStream#drain], [dev.superstep.graph.Drain].
    DRAINED,
    /// It reached a breakpoint; see [Breakpoints].
    PAUSED,
    /// It has begun as many tasks as it may; see [dev.superstep.graph.RunOptions#taskLimit].
    TASK_LIMIT
  }
}
