package dev.superstep.repl.agent;

import dev.superstep.repl.record.CellRecord;

/// Says in what a cell that ran again differs from its record.
final class Differences {
  private Differences() {}

  static String of(CellRecord before, CellRecord now) {
    if (!before.code().equals(now.code())) {
      return "it ended with `%s`, and now with `%s`".formatted(before.code(), now.code());
    }
    if (!before.output().equals(now.output()) || before.printed() != now.printed()) {
      return "its output is another one";
    }
    if (!before.changed().equals(now.changed())) {
      for (var variable : now.changed()) {
        if (!before.changed().contains(variable)) {
          return "the variable `%s` has another value".formatted(variable.name());
        }
      }
      return "it changed other variables";
    }
    return "its calls are others";
  }
}
