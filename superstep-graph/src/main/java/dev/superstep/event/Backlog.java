package dev.superstep.event;

/// How many events may wait for a slow reader, and what happens when more come. Immutable.
///
/// @param capacity at least 1
public record Backlog(int capacity, Overflow overflow) {
  /// How many events wait unless something else is said.
  public static final int CAPACITY = 1_024;

  /// What happens when no more events may wait.
  public enum Overflow {
    /// The run waits for the reader. Nothing is lost.
    BLOCK,
    /// The oldest waiting event is lost. The reader is told how many were, by
    /// [Event.EventsDropped]; the run never waits.
    DROP_OLDEST
  }

  public Backlog {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, was " + capacity);
    }
  }

  /// The run waits when 1,024 events are unread.
  public static Backlog blocking() {
    return new Backlog(CAPACITY, Overflow.BLOCK);
  }

  /// The oldest events are lost when more than 1,024 are unread.
  public static Backlog droppingOldest() {
    return new Backlog(CAPACITY, Overflow.DROP_OLDEST);
  }

  /// The same with another capacity.
  public Backlog withCapacity(int events) {
    return new Backlog(events, overflow);
  }
}
