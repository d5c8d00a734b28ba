package dev.superstep.schema;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// A JSON Schema from outside cannot be used.
public final class MalformedSchema extends SuperstepException {
  MalformedSchema(String why, @Nullable Throwable cause) {
    super(
        "schema.malformed",
        "Not a JSON Schema that can be checked: " + why + ". Give a schema of draft 2020-12.",
        cause);
  }
}
