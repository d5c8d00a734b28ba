package dev.superstep.repl.host;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/// All that a session gets from its host: functions, variables, and a seed for chance. Their names
/// are reserved: no cell may bind them. What is not in here does not exist for a script. Immutable.
///
/// @param seed grants `rand()`, which gives the same numbers for the same seed
/// @param budget what is left of the host's limits, for `budget()`
public record Capabilities(
    List<HostFunction> functions,
    Map<String, HostValue> variables,
    OptionalLong seed,
    Supplier<Map<String, Long>> budget) {
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
    return new Capabilities(List.of(), Map.of(), OptionalLong.empty(), Map::of);
  }

  /// Returns a copy with one more function.
  public Capabilities with(HostFunction function) {
    var all = new ArrayList<>(functions);
    all.add(function);
    return new Capabilities(all, variables, seed, budget);
  }

  /// Returns a copy with one more variable.
  public Capabilities with(String name, HostValue value) {
    var all = new LinkedHashMap<>(variables);
    all.put(name, value);
    return new Capabilities(functions, all, seed, budget);
  }

  /// Returns a copy that grants `rand()`.
  public Capabilities withSeed(long number) {
    return new Capabilities(functions, variables, OptionalLong.of(number), budget);
  }

  /// Returns a copy whose `budget()` tells more.
  ///
  /// @param left by name; the same whenever a session is repeated
  public Capabilities withBudget(Supplier<Map<String, Long>> left) {
    return new Capabilities(functions, variables, seed, left);
  }

  /// The names that no cell may bind.
  public Set<String> reserved() {
    var all = new HashSet<>(variables.keySet());
    for (var function : functions) all.add(function.signature().name());
    return all;
  }
}
