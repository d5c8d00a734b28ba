package dev.superstep.model.local;

import java.util.List;

/// A line from the parent to the child that requests an answer.
///
/// @param schema a JSON Schema as text, or empty for free text
/// @param seed used when `temperature` is above 0; negative for a random one
record ChildRequest(
    long id, List<Turn> turns, String schema, double temperature, int maxTokens, int seed) {
  enum Role {
    SYSTEM,
    USER,
    MODEL
  }

  record Turn(Role role, String text) {}
}
