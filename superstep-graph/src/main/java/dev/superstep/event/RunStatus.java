package dev.superstep.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The status of a run, computed from its events alone, so that it can be computed again from a
/// stored log. Subgraphs are part of their run, which is its own root and has no parent. Immutable.
///
/// @param first where and when the run began
/// @param last where and when the last event that it knows happened
/// @param checkpoint the newest one of the run's own graph; empty before the first superstep has
///   ended, and if the run is not saved
/// @param step the superstep of the run's own graph
/// @param steps how many supersteps of the run's own graph ended in this run
/// @param active the tasks at work, oldest first
/// @param questions the ids of open questions: those of this run while it is at work, all of its
///   thread once it is interrupted
/// @param problem why it failed
public record RunStatus(
    Origin first,
    Origin last,
    Stage stage,
    boolean resumed,
    Optional<String> checkpoint,
    int step,
    int steps,
    List<ActiveTask> active,
    List<String> questions,
    Optional<Problem> problem) {
  /// The stage of a run: at work, or the way in which it ended.
  public enum Stage {
    /// It is at work, as far as is known.
    RUNNING,
    /// Nothing was left to do.
    COMPLETED,
    /// It waits for answers.
    INTERRUPTED,
    /// It was stopped and can be resumed.
    STOPPED,
    /// It failed and can be resumed.
    FAILED
  }

  /// A task at work.
  ///
  /// @param path the nodes that lead to its graph
  public record ActiveTask(List<String> path, String node, String task, int step, Instant since) {}

  /// Why a run failed.
  public record Problem(String code, String message) {}

  public RunStatus {
    active = List.copyOf(active);
    questions = List.copyOf(questions);
  }

  /// Returns the status after the first event of a run.
  public static RunStatus of(Event event) {
    var draft = new Draft();
    draft.add(event);
    return draft.status(event.origin(), event.origin());
  }

  /// Returns the status after one more event. An event of another run, or one that came before the
  /// last, changes nothing; so events may be repeated.
  public RunStatus after(Event event) {
    var origin = event.origin();
    if (!origin.run().equals(run()) || origin.sequence() <= sequence()) return this;
    var draft = new Draft(this);
    draft.add(event);
    return draft.status(first, origin);
  }

  /// The run.
  public String run() {
    return first.run();
  }

  /// Of the last event that it knows.
  public long sequence() {
    return last.sequence();
  }

  /// Returns whether the run has ended.
  public boolean hasEnded() {
    return stage != Stage.RUNNING;
  }

  /// A status that is being changed.
  private static final class Draft {
    private final List<ActiveTask> active = new ArrayList<>();
    private final List<String> questions = new ArrayList<>();
    private Stage stage = Stage.RUNNING;
    private boolean resumed;
    private Optional<String> checkpoint = Optional.empty();
    private int step;
    private int steps;
    private Optional<Problem> problem = Optional.empty();

    Draft() {}

    Draft(RunStatus before) {
      active.addAll(before.active);
      questions.addAll(before.questions);
      stage = before.stage;
      resumed = before.resumed;
      checkpoint = before.checkpoint;
      step = before.step;
      steps = before.steps;
      problem = before.problem;
    }

    RunStatus status(Origin first, Origin last) {
      return new RunStatus(
          first, last, stage, resumed, checkpoint, step, steps, active, questions, problem);
    }

    void add(Event event) {
      boolean isOwn = event.origin().path().isEmpty();
      if (isOwn) step = event.origin().step();
      switch (event) {
        case Event.RunStarted e -> resumed = e.resumed();
        case Event.NodeStarted e -> begin(e);
        case Event.NodeFinished e -> leave(e);
        case Event.NodeFailed e -> leave(e);
        case Event.InterruptRaised e -> {
          leave(e);
          questions.add(e.interrupt().id());
        }
        case Event.InterruptAnswered e -> questions.remove(e.interrupt());
        case Event.StepFinished e -> {
          active.removeIf(task -> task.path().equals(e.origin().path()));
          if (isOwn) steps++;
          if (isOwn && !e.checkpoint().isEmpty()) checkpoint = Optional.of(e.checkpoint());
        }
        case Event.CheckpointSaved e -> {
          if (isOwn) checkpoint = Optional.of(e.checkpoint());
        }
        case Event.RunCompleted _ -> end(Stage.COMPLETED, List.of());
        case Event.RunInterrupted e -> end(Stage.INTERRUPTED, e.interrupts());
        case Event.RunStopped _ -> end(Stage.STOPPED, List.copyOf(questions));
        case Event.RunFailed e -> {
          end(Stage.FAILED, List.copyOf(questions));
          problem = Optional.of(new Problem(e.code(), e.message()));
        }
        case Event _ -> {}
      }
    }

    private void begin(Event.NodeStarted e) {
      var at = e.origin();
      active.add(new ActiveTask(at.path(), e.node(), e.task(), at.step(), at.at()));
    }

    private void leave(Event.OfNode e) {
      var path = e.origin().path();
      active.removeIf(task -> task.task().equals(e.task()) && task.path().equals(path));
    }

    private void end(Stage how, List<String> open) {
      stage = how;
      active.clear();
      questions.clear();
      questions.addAll(open);
    }
  }
}
