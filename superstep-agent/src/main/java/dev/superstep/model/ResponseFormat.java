package dev.superstep.model;

import dev.superstep.json.Json;

/// The form in which the model must answer.
public sealed interface ResponseFormat {
  /// Free text.
  record Text() implements ResponseFormat {}

  /// A JSON value that the schema accepts. A model that can be bound to a schema is; the caller
  /// validates in any case.
  ///
  /// @param name a short name for vendors that want one
  /// @param schema a JSON Schema
  record JsonSchema(String name, Json schema) implements ResponseFormat {}
}
