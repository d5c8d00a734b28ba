package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import java.util.function.BiFunction;

/// The usual projections of journals.
public final class Projections {
  private Projections() {}

  /// The status of a thread.
  public static Projection<ThreadStatus> status() {
    return new OfEvents<>("status", 1, ThreadStatus.class, ThreadStatus.NONE, ThreadStatus::after);
  }

  /// The durations of runs and nodes.
  public static Projection<Timing> timing() {
    return new OfEvents<>("timing", 1, Timing.class, Timing.NONE, Timing::after);
  }

  /// The failures of nodes.
  public static Projection<Health> health() {
    return new OfEvents<>("health", 1, Health.class, Health.NONE, Health::after);
  }

  private record OfEvents<T>(
      String name, int version, Class<T> type, T initial, BiFunction<T, Event, T> after)
      implements Projection<T> {
    @Override
    public Codec<T> codec() {
      return Codec.of(type);
    }

    @Override
    public T fold(T value, Entry entry) {
      return after.apply(value, ThreadJournal.event(entry));
    }
  }
}
