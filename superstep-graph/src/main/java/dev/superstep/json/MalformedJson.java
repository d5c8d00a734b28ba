package dev.superstep.json;

import org.jspecify.annotations.Nullable;

/// Text that should have been JSON of a certain type is not.
public final class MalformedJson extends SuperstepException {
  private final String type;
  private final String why;

  MalformedJson(String type, String why, @Nullable Throwable cause) {
    super("json.malformed", "Not a JSON " + type + ": " + why + ".", cause);
    this.type = type;
    this.why = why;
  }

  String why() {
    return why;
  }

  /// The type that was expected, as its codec names it.
  public String type() {
    return type;
  }
}
