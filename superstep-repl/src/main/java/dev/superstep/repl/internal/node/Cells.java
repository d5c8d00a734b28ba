package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.name.Variable;
import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Fills the places of variables that functions share.
final class Cells {
  private Cells() {}

  static void fill(@Nullable Value[] slots, Variable[] shared) {
    for (var variable : shared) {
      var cell = new CellValue(variable.name());
      cell.value = slots[variable.slot()];
      slots[variable.slot()] = cell;
    }
  }
}
