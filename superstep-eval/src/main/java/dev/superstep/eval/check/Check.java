package dev.superstep.eval.check;

import java.util.function.Function;

/// A check of trials. Ready ones are made by [Checks] and [Judge]; a check in code is made by
/// [#of]:
///
/// ```java
/// Check.of("short", trial -> Verdict.when(trial.text().length() <= 200, "over 200 characters"))
/// ```
///
/// Implementations are safe for many threads.
public interface Check {
  /// The name, unique in an evaluation.
  String name();

  /// The identity of what it does: results of checks with other versions are not mixed.
  default String version() {
    return name();
  }

  /// Checks a trial that ended as its case expects. An exception becomes a verdict without a
  /// result: [Verdict.Outcome#ERROR].
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  Verdict check(Checked trial) throws InterruptedException;

  /// A check in code. Give it another name when the code changes what it means.
  static Check of(String name, Function<Checked, Verdict> code) {
    return new CodeCheck(name, name, code);
  }
}
