package dev.superstep.json;

import org.jspecify.annotations.Nullable;

/// The root of every error that Superstep throws. The [#code] is stable and may be matched by
/// programs; the message says what happened, where, and what to do.
public abstract class SuperstepException extends RuntimeException {
  private final String code;

  /// For the error classes of Superstep's own modules.
  protected SuperstepException(String code, String message) {
    this(code, message, null);
  }

  /// For errors that another error caused.
  protected SuperstepException(String code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /// A stable name such as `graph.step-limit`, family first.
  public final String code() {
    return code;
  }
}
