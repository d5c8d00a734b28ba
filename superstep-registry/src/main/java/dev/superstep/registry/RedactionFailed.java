package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// The redaction of a required listener threw, so the listener received nothing.
public final class RedactionFailed extends SuperstepException {
  private final String event;

  RedactionFailed(String event, RuntimeException cause) {
    super(
        "registry.redaction-failed",
        "The redaction of a required listener threw at `%s`: %s. See the cause."
            .formatted(event, cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
    this.event = event;
  }

  /// The name of the event.
  public String event() {
    return event;
  }
}
