package dev.superstep.eval.check;

/// The result of one check of a trial. Immutable.
///
/// @param check its name
public record CheckResult(String check, Verdict verdict) {}
