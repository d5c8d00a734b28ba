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
    Models models,
    Measure measure,
    List<String> filters,
    Optional<String> compare,
    Files files,
    boolean isJson,
    boolean isDebug) {
  /// The models, by their URLs.
  ///
  /// @param subject that of the program
  /// @param judge that of all judges
  /// @param record the file to which replies to the program are recorded
  public record Models(Optional<String> subject, Optional<String> judge, Optional<String> record) {}

  /// The extent of what is measured; what is empty is taken from `eval.toml`.
  public record Measure(
      Optional<Integer> repeats,
      Optional<Integer> concurrency,
      Optional<String> budget,
      Optional<Double> threshold,
      boolean startsAnew) {}

  /// The files that are written.
  ///
  /// @param store keeps the results
  public record Files(Optional<String> store, Optional<String> report, Optional<String> junitXml) {}
}
