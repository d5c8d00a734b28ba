package dev.superstep.run;

import java.util.List;

/// The errors and warnings in a graph's definition. Immutable.
///
/// @param errors why it cannot be compiled; empty if it can
/// @param warnings what is probably not meant; it compiles all the same
public record ValidationReport(List<Problem> errors, List<Problem> warnings) {
  public ValidationReport {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  /// Returns whether the graph can be compiled.
  public boolean isValid() {
    return errors.isEmpty();
  }
}
