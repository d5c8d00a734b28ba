package dev.superstep.event;

import dev.superstep.json.SuperstepException;

/// More waits for a reader than may, and its [Backlog] says that this is a failure.
public final class BacklogFull extends SuperstepException {
  private final int capacity;

  BacklogFull(int capacity) {
    super(
        "event.backlog-full",
        "%d events wait for a reader, and no more may. Read faster, let more wait, or drop some."
            .formatted(capacity));
    this.capacity = capacity;
  }

  /// The number of events that may wait.
  public int capacity() {
    return capacity;
  }
}
