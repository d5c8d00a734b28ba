package dev.superstep.repl.host;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// All that a session gets from its host: functions, variables, and a seed for chance. Their names
/// are reserved: no cell may bind them. What is not in here does not exist for a script. Immutable.
///
/// @param seed grants `rand()`, which gives the same numbers for the same seed
public record Capabilities(
    List<HostFunction> functions, Map<String, HostValue> variables, OptionalLong seed) {
  public Capabilities {
    functions = List.copyOf(functions);
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    var seen = new HashSet<>(variables.keySet());
    for (var function : functions) {
      if (!seen.add(function.signature().name())) {
        throw new IllegalArgumentException(
            "`" + function.signature().name() + "` is granted twice; a name means one thing");
      }
    }
  }

  /// Nothing is granted.
  public static Capabilities none() {
    return new Capabilities(List.of(), Map.of(), OptionalLong.empty());
  }

  /// Returns a copy with one more function.
  public Capabilities with(HostFunction function) {
    var all = new ArrayList<>(functions);
    all.add(function);
    return new Capabilities(all, variables, seed);
  }

  /// Returns a copy with one more variable.
  public Capabilities with(String name, HostValue value) {
    var all = new LinkedHashMap<>(variables);
    all.put(name, value);
    return new Capabilities(functions, all, seed);
  }

  /// Returns a copy that grants `rand()`.
  public Capabilities withSeed(long number) {
    return new Capabilities(functions, variables, OptionalLong.of(number));
  }

  /// The names that no cell may bind.
  public Set<String> reserved() {
    var all = new HashSet<>(variables.keySet());
    for (var function : functions) all.add(function.signature().name());
    return all;
  }
}
