package dev.superstep.eval.dataset;

import dev.superstep.json.Json;
import java.util.Optional;

/// A tool call that a case expects. Immutable.
///
/// @param tool its name
/// @param arguments an object whose fields the arguments of the call must have with equal values;
///   it may have others. Empty if any arguments will do
public record ExpectedCall(String tool, Optional<Json> arguments) {
  /// A call with any arguments.
  public static ExpectedCall of(String tool) {
    return new ExpectedCall(tool, Optional.empty());
  }

  /// A call with these arguments, perhaps among others.
  public static ExpectedCall of(String tool, Json arguments) {
    return new ExpectedCall(tool, Optional.of(arguments));
  }

  @Override
  public String toString() {
    return tool + arguments.map(Json::text).orElse("");
  }
}
