package dev.superstep.schedule;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A participant of a race, on a virtual thread of its own, and how it ended. Read by the test once
/// the schedule has run.
public final class Actor<T> {
  private final String name;
  private final Callable<T> work;
  private @Nullable T value;
  private @Nullable Throwable thrown;
  private boolean ended;

  Actor(String name, Callable<T> work) {
    this.name = name;
    this.work = work;
  }

  void run() {
    try {
      value = work.call();
    } catch (Throwable e) {
      thrown = e;
    }
    ended = true;
  }

  String name() {
    return name;
  }

  boolean hasEnded() {
    return ended;
  }

  /// Returns its result.
  ///
  /// @throws AssertionError if it threw
  public T value() {
    if (thrown != null) throw new AssertionError(name + " threw", thrown);
    if (value == null) throw new AssertionError(name + " returned nothing");
    return value;
  }

  /// Returns its error, if it threw one.
  public Optional<Throwable> thrown() {
    return Optional.ofNullable(thrown);
  }

  @Override
  public String toString() {
    return name + (!ended ? " waits" : thrown != null ? " threw " + thrown : " returned " + value);
  }
}
