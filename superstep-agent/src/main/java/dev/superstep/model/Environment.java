package dev.superstep.model;

import java.util.Map;
import java.util.Optional;

/// Where keys and base URLs come from. Passed in, so that tests and servers with many tenants need
/// not touch the variables of the process.
@FunctionalInterface
public interface Environment {
  /// The value of a variable; empty if it is not set.
  Optional<String> get(String variable);

  /// The variables of this process.
  static Environment ofProcess() {
    return variable -> Optional.ofNullable(System.getenv(variable));
  }

  /// These variables and no others.
  static Environment of(Map<String, String> variables) {
    var copy = Map.copyOf(variables);
    return variable -> Optional.ofNullable(copy.get(variable));
  }
}
