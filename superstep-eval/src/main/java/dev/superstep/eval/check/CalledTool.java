package dev.superstep.eval.check;

import dev.superstep.json.Json;
import java.util.Optional;

/// A call of a tool that a trial made, or asked for in vain. Immutable.
///
/// @param tool its name
/// @param arguments empty if they are not known, or are no JSON
public record CalledTool(String tool, Optional<Json> arguments) {
  @Override
  public String toString() {
    return tool + arguments.map(Json::text).orElse("");
  }
}
