package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import dev.superstep.json.JsonLimit;
import dev.superstep.json.SuperstepException;

/// A value could be saved but never be read again, because it goes over a limit of what is read.
/// Nothing of it was saved.
public final class ValueOverLimit extends SuperstepException {
  private final String where;
  private final JsonLimit limit;
  private final int most;

  private ValueOverLimit(String where, JsonLimit.Excess excess) {
    super(
        "value.over-limit",
        ("What was to be saved as %s has %s read back. Nothing of it was saved. Keep large"
                + " things outside of the state, such as in a file, and write where they are.")
            .formatted(where, excess));
    this.where = where;
    this.limit = excess.limit();
    this.most = excess.most();
  }

  /// Passes on a value that can be read back where it is put.
  ///
  /// @param kind a kind of thing, such as `write to channel`
  /// @param name which of its kind
  /// @throws ValueOverLimit if it could never be read again
  public static Json checked(Json value, String kind, String name) {
    JsonLimit.exceeded(value).ifPresent(excess -> refuse(kind, name, excess));
    return value;
  }

  /// Like [#checked], for a value that was folded from others.
  public static Json checkedFold(Json value, String kind, String name) {
    JsonLimit.exceededWhenFolded(value).ifPresent(excess -> refuse(kind, name, excess));
    return value;
  }

  /// Like [#checked], for text that is no JSON yet.
  public static String checkedText(String value, String kind, String name) {
    int length = value.length();
    int most = JsonLimit.STRING.most();
    if (length > most) refuse(kind, name, new JsonLimit.Excess(JsonLimit.STRING, length, most));
    return value;
  }

  private static void refuse(String kind, String name, JsonLimit.Excess excess) {
    throw new ValueOverLimit(kind + " `" + name + "`", excess);
  }

  /// Which value, by the name of its channel, node or step.
  public String where() {
    return where;
  }

  /// The limit that it goes over.
  public JsonLimit limit() {
    return limit;
  }

  /// The most that the limit allows there.
  public int most() {
    return most;
  }
}
