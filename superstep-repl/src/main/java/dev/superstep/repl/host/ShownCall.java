package dev.superstep.repl.host;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A call of a host function as far as the source of a cell shows it. Immutable.
///
/// @param arguments those that are literals, by the names of the parameters; a parameter with `**`
///   holds [HostValue.Entries]
/// @param isWhole whether there are no other arguments
public record ShownCall(Map<String, HostValue> arguments, boolean isWhole) {
  public ShownCall {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }

  /// A reason why a call cannot succeed, found before its cell runs.
  ///
  /// @param code without the `E-ragsh-` in front
  /// @param help empty if there is none
  public record Refusal(String code, String message, String help) {}
}
