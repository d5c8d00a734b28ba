package dev.superstep.cli.eval;

import java.util.List;
import java.util.Optional;

/// The arguments of `superstep eval`.
///
/// @param name of the results; empty for one that is made of what is evaluated
/// @param filters cases are tried whose id contains one of them, or that have one as a tag; all if
///   there are none
/// @param compare the name of earlier results, empty for none
public record EvalRequest(
    String folder,
    Optional<String> name,
    Optional<String> model,
    Optional<String> record,
    Measure measure,
    List<String> filters,
    Optional<String> compare,
    Files files,
    boolean isJson,
    boolean isDebug) {
  /// How much is measured; what is empty is taken from `eval.toml`.
  public record Measure(
      Optional<Integer> repeats,
      Optional<Integer> concurrency,
      Optional<String> budget,
      Optional<Double> threshold,
      boolean startsAnew) {}

  /// The files that are written.
  ///
  /// @param store keeps the results
  public record Files(
      Optional<String> store, Optional<String> report, Optional<String> junitXml) {}
}
