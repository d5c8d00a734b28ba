package dev.superstep.event;

/// The number of events that may wait for a slow reader, and what happens when more come.
/// Immutable.
///
/// @param capacity at least 1
public record Backlog(int capacity, Overflow overflow) {
  /// The default number of waiting events.
  public static final int CAPACITY = 1_024;

  /// The handling of events that come while no more may wait.
  public enum Overflow {
    /// The run waits for the reader. Nothing is lost.
    BLOCK,
    /// The oldest waiting event is lost. The reader gets the number of lost events in an
    /// [Event.EventsDropped]; the run never waits.
    DROP_OLDEST,
    /// The newest events are lost while no more may wait, and are reported like that; the run never
    /// waits.
    DROP_NEWEST,
    /// It is a failure. The reader gets [BacklogFull] when it has read what waits, and nothing
    /// after that; a run is not harmed.
    FAIL
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

  /// New events are lost while 1,024 are unread.
  public static Backlog droppingNewest() {
    return new Backlog(CAPACITY, Overflow.DROP_NEWEST);
  }

  /// It is a failure if more than 1,024 events are unread.
  public static Backlog failing() {
    return new Backlog(CAPACITY, Overflow.FAIL);
  }

  /// Returns a copy with another capacity.
  public Backlog withCapacity(int events) {
    return new Backlog(events, overflow);
  }
}
