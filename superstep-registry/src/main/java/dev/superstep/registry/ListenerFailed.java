package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A required listener threw. The other listeners have received the event.
public final class ListenerFailed extends SuperstepException {
  private final String event;

  ListenerFailed(String event, Exception cause) {
    super(
        "registry.listener-failed",
        "A required listener threw at `%s`: %s. See the cause, or do not require it."
            .formatted(event, cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
    this.event = event;
  }

  /// The name of the event.
  public String event() {
    return event;
  }
}
