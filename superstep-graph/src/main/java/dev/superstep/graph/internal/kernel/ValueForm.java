package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;

/// The form in which a store gets values.
public enum ValueForm {
  /// As text, written where the value is saved: what cannot be stored is found there.
  TEXT,
  /// As they are, if nothing can change them; text is made when it is asked for, if it ever is.
  REFERENCE,
  /// As text that was read back, and gave an equal value.
  VERIFIED;

  /// The form that a store takes values in as they are saved.
  public static ValueForm of(Checkpointer store) {
    if (!(store instanceof InMemoryCheckpointer memory)) return TEXT;
    return memory.isStrict() ? VERIFIED : REFERENCE;
  }

  /// The value in this form.
  ///
  /// @param kind what it is, such as `step`
  /// @param name which of its kind
  /// @throws ValueOverLimit if its text could never be read again
  public Json of(Json value, String kind, String name) {
    return this == REFERENCE ? value.frozen() : ValueOverLimit.checked(written(value), kind, name);
  }

  /// Like [#of], for a value that was folded from others.
  public Json ofFold(Json value, String kind, String name) {
    return this == REFERENCE
        ? value.frozen()
        : ValueOverLimit.checkedFold(written(value), kind, name);
  }

  private Json written(Json value) {
    return this == VERIFIED ? value.verified() : value;
  }
}
