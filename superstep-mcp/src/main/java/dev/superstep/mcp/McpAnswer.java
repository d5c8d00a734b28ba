package dev.superstep.mcp;

import dev.superstep.json.Json;
import java.util.Optional;

/// The answer of a person to an [McpElicitation].
///
/// @param content the values of a form that was filled in
public record McpAnswer(Action action, Optional<Json> content) {
  /// The choice of the person.
  public enum Action {
    /// Filled in, or agreed to.
    ACCEPT,
    /// Said no.
    DECLINE,
    /// Did not choose.
    CANCEL
  }

  /// The values for a form.
  public static McpAnswer accept(Json values) {
    return new McpAnswer(Action.ACCEPT, Optional.of(values));
  }

  /// A no.
  public static McpAnswer decline() {
    return new McpAnswer(Action.DECLINE, Optional.empty());
  }

  /// No choice.
  public static McpAnswer cancel() {
    return new McpAnswer(Action.CANCEL, Optional.empty());
  }
}
