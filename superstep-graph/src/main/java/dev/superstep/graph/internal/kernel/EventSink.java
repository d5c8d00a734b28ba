package dev.superstep.graph.internal.kernel;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Receives the events of a run.
public interface EventSink {
  /// Returns whether anybody listens, so that events are worth building.
  boolean hasListeners();

  /// Returns whether somebody requested this detail.
  boolean isWanted(Detail detail);

  /// Says something.
  ///
  /// @param detail who has to have asked for it, or null if everyone hears it
  void publish(@Nullable Detail detail, int step, Function<Origin, Event> fact);

  /// Says something to everyone.
  default void publish(int step, Function<Origin, Event> fact) {
    if (hasListeners()) publish(null, step, fact);
  }
}
