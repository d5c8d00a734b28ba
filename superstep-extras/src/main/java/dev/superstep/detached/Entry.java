package dev.superstep.detached;

import dev.superstep.detached.TaskState.Stopping;
import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A detached task. Safe for many threads; it ends once.
final class Entry<T> {
  final String id;
  final String owner;
  private final String name;
  private final Map<String, String> labels;
  private final InstantSource clock;
  private final Instant started;
  private final Cancellation cancellation = new Cancellation();
  private final Mutex lock = new Mutex();
  private final Condition ending = lock.newCondition();
  private final List<Consumer<String>> waiting = new ArrayList<>();
  private Stopping stopping = Stopping.NOT_ASKED;
  private @Nullable Thread thread;
  private @Nullable TaskState<T> end;
  private @Nullable Instant ended;

  Entry(String id, String owner, String name, Map<String, String> labels, InstantSource clock) {
    this.id = id;
    this.owner = owner;
    this.name = name;
    this.labels = Map.copyOf(labels);
    this.clock = clock;
    this.started = clock.instant();
  }

  /// Does the work, on the calling thread.
  void run(DetachedWork<T> work) {
    begin();
    TaskState<T> state;
    try {
      state = new TaskState.Finished<>(Objects.requireNonNull(work.run(cancellation), "result"));
    } catch (Throwable e) {
      state = thrown(e);
    }
    end(state);
  }

  private void begin() {
    try (var _ = lock.hold()) {
      thread = Thread.currentThread();
      // It may have been stopped before its thread came to life.
      if (stopping == Stopping.INTERRUPTED) thread.interrupt();
    }
  }

  private TaskState<T> thrown(Throwable error) {
    try (var _ = lock.hold()) {
      return switch (stopping) {
        case NOT_ASKED -> new TaskState.Failed<>(error);
        case REQUESTED -> new TaskState.Cancelled<>(false, error);
        case INTERRUPTED -> new TaskState.Cancelled<>(true, error);
      };
    }
  }

  private void end(TaskState<T> state) {
    try (var _ = lock.hold()) {
      end = state;
      ended = clock.instant();
      thread = null;
      ending.signalAll();
      waiting.forEach(hears -> hears.accept(id));
      waiting.clear();
    }
  }

  /// Lets the work know that it should end.
  void request() {
    try (var _ = lock.hold()) {
      if (end != null) return;
      if (stopping == Stopping.NOT_ASKED) stopping = Stopping.REQUESTED;
      cancellation.request();
    }
  }

  /// Interrupts the work if it has not ended.
  void interrupt() {
    try (var _ = lock.hold()) {
      if (end != null) return;
      stopping = Stopping.INTERRUPTED;
      cancellation.request();
      if (thread != null) thread.interrupt();
    }
  }

  /// Waits until it has ended or the time is over, and tells how it stands then.
  TaskState<T> await(Duration most) throws InterruptedException {
    try (var _ = lock.hold()) {
      long left = TimeUnit.NANOSECONDS.convert(most);
      while (end == null && left > 0) left = ending.awaitNanos(left);
      return state();
    }
  }

  /// Tells somebody the id when the task has ended, which may be now.
  void whenEnded(Consumer<String> hears) {
    try (var _ = lock.hold()) {
      if (end != null) hears.accept(id);
      else waiting.add(hears);
    }
  }

  void forget(Consumer<String> hears) {
    try (var _ = lock.hold()) {
      waiting.remove(hears);
    }
  }

  boolean hasEnded() {
    try (var _ = lock.hold()) {
      return end != null;
    }
  }

  /// Returns true if the task had ended at that time.
  boolean hasEndedBy(Instant time) {
    try (var _ = lock.hold()) {
      return ended != null && !ended.isAfter(time);
    }
  }

  TaskInfo<T> info() {
    try (var _ = lock.hold()) {
      return new TaskInfo<>(id, name, labels, state(), started, Optional.ofNullable(ended));
    }
  }

  private TaskState<T> state() {
    return end != null ? end : new TaskState.Running<>(stopping);
  }
}
