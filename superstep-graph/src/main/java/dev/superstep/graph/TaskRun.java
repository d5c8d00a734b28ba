package dev.superstep.graph;

import dev.superstep.event.Event;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs one task: the only place that calls a node. For one thread.
final class TaskRun {
  private final RunScope scope;
  private final @Nullable Saving saving;
  private final Snapshot at;
  private final Task task;
  private final int step;

  TaskRun(RunScope scope, @Nullable Saving saving, Snapshot at, Task task) {
    this.scope = scope;
    this.saving = saving;
    this.at = at;
    this.task = task;
    this.step = at.step() + 1;
  }

  /// Runs the node and saves how it ended. Whatever the node throws becomes a value.
  ///
  /// @param alone whether the superstep has no other task, so that its checkpoint saves this one
  Ended run(Map<String, Json> answers, boolean alone) {
    scope.announcer().say(step, this::started);
    var end = call(answers);
    switch (end) {
      case Ended.Finished finished -> {
        if (!alone) save(end);
        if (!alone) announce(scope, step, task, finished);
      }
      case Ended.Waiting(var interrupts) -> {
        save(end);
        for (var interrupt : interrupts) {
          // A question from inside was told where it was asked.
          if (!interrupt.task().equals(task.id())) continue;
          scope.announcer().say(step, o -> new Event.InterruptRaised(o, interrupt));
        }
      }
      case Ended.Failed(var error) -> {
        save(end);
        var why = NodeFailed.why(error);
        scope.announcer().say(step, o -> new Event.NodeFailed(o, task.node(), task.id(), why));
      }
    }
    return end;
  }

  static void announce(RunScope scope, int step, Task task, Ended.Finished finished) {
    if (!scope.announcer().isHeard()) return;
    var channels = finished.writes().stream().map(w -> w.channel().name()).distinct().toList();
    scope
        .announcer()
        .say(step, o -> new Event.NodeFinished(o, task.node(), task.id(), channels, task.took()));
  }

  private Event started(dev.superstep.event.Origin origin) {
    return new Event.NodeStarted(origin, task.node(), task.id(), task.due().activation());
  }

  private Ended call(Map<String, Json> answers) {
    long began = System.nanoTime();
    var context = new TaskContext(scope, task, step, answers);
    var end = call(context);
    task.took(Duration.ofNanos(System.nanoTime() - began));
    // A node may have caught the suspension, as libraries do that wrap whatever is thrown.
    var open = context.open();
    return open.isEmpty() ? end : new Ended.Waiting(open);
  }

  private Ended call(TaskContext context) {
    try {
      var result = task.due().node().body().run(task.due().argument(), at, context);
      if (result == null) throw new ReturnedNull(task.node());
      var finished = Ended.Finished.of(result);
      scope.graph().check(task.due().node(), finished);
      var writes = Completion.of(finished.writes(), scope.options().ids());
      return new Ended.Finished(writes, finished.gotos(), finished.sends());
    } catch (Throwable error) {
      return new Ended.Failed(error);
    }
  }

  private void save(Ended end) {
    if (saving != null) saving.task(at, task, end);
  }
}
