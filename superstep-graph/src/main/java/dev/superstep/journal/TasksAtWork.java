package dev.superstep.journal;

import dev.superstep.event.Event;
import dev.superstep.event.RunStatus.ActiveTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The tasks that have begun and have not ended, according to a journal. Immutable.
///
/// @param all oldest first
public record TasksAtWork(List<ActiveTask> all) {
  static final TasksAtWork NONE = new TasksAtWork(List.of());

  /// By graph, then by node.
  static final Comparator<List<String>> BY_NAME =
      Comparator.<List<String>, String>comparing(List::getFirst).thenComparing(List::getLast);

  public TasksAtWork {
    all = List.copyOf(all);
  }

  TasksAtWork after(Event event) {
    return switch (event) {
      case Event.NodeStarted e -> {
        var at = e.origin();
        var more = new ArrayList<>(without(e).all);
        more.add(new ActiveTask(at.path(), e.node(), e.task(), at.step(), at.at()));
        yield new TasksAtWork(more);
      }
      case Event.NodeFinished e -> without(e);
      case Event.NodeFailed e -> without(e);
      case Event.InterruptRaised e -> without(e);
      // A run that died leaves tasks without a published end.
      case Event.RunStarted _,
          Event.RunCompleted _,
          Event.RunInterrupted _,
          Event.RunStopped _,
          Event.RunFailed _ ->
          NONE;
      case Event _ -> this;
    };
  }

  /// When the task of an event began, if it is at work.
  Optional<Instant> since(Event.OfNode event) {
    return all.stream().filter(task -> isOf(task, event)).map(ActiveTask::since).findFirst();
  }

  private TasksAtWork without(Event.OfNode event) {
    return new TasksAtWork(all.stream().filter(task -> !isOf(task, event)).toList());
  }

  private static boolean isOf(ActiveTask task, Event.OfNode event) {
    return task.task().equals(event.task()) && task.path().equals(event.origin().path());
  }
}
