package dev.superstep.graph.internal.validation;

import dev.superstep.run.Problem;
import java.util.ArrayList;
import java.util.List;

/// Collects what a check of a graph finds. One thread at a time.
final class Diagnostics {
  final List<Problem> errors = new ArrayList<>();
  final List<Problem> warnings = new ArrayList<>();

  void error(String code, String message) {
    errors.add(new Problem(code, message));
  }

  void warning(String code, String message) {
    warnings.add(new Problem(code, message));
  }
}
