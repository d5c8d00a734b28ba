package dev.superstep.cli.rlm.bench;

import java.util.List;
import java.util.Optional;

/// The arguments of `superstep rlm bench`. Immutable.
///
/// @param suites by name; all of them if empty
/// @param sizes in characters; the standard ones if empty
/// @param seeds trials for each line of a table; 0 for the standard number
/// @param driver the model that writes programs, by URL; empty for the simulation
/// @param leaf the model that programs ask; the driver unless named
/// @param tokens the most of the whole bench
/// @param json the file that gets all lines
public record BenchRequest(
    List<String> suites,
    List<Integer> sizes,
    int seeds,
    Optional<String> driver,
    Optional<String> leaf,
    long tokens,
    Optional<String> json,
    boolean consents) {
  public BenchRequest {
    suites = List.copyOf(suites);
    sizes = List.copyOf(sizes);
  }
}
