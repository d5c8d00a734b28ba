package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Reading variables.
final class Variables {
  private Variables() {}

  static final class Constant extends Node {
    final Value value;

    Constant(Value value) {
      this.value = value;
    }

    @Override
    Value eval(Frame f) {
      return value;
    }
  }

  static final class Local extends Node {
    final int slot;
    private final String name;

    Local(int slot, String name) {
      this.slot = slot;
      this.name = name;
    }

    @Override
    Value eval(Frame f) {
      var value = f.slots[slot];
      if (value == null) throw unbound(name);
      return value;
    }
  }

  static Raise unbound(String name) {
    return Raise.of(
        ErrorType.UNBOUND,
        "cannot access local variable '" + name + "' where it is not associated with a value");
  }

  static CellValue cell(Frame f, int slot) {
    if (f.slots[slot] instanceof CellValue cell) return cell;
    throw new IllegalStateException("place " + slot + " holds no cell");
  }

  static final class Shared extends Node {
    private final int slot;
    private final boolean isFree;

    Shared(int slot, boolean isFree) {
      this.slot = slot;
      this.isFree = isFree;
    }

    @Override
    Value eval(Frame f) {
      var cell = cell(f, slot);
      var value = cell.value;
      if (value != null) return value;
      if (!isFree) throw unbound(cell.name());
      throw Raise.of(
          ErrorType.NAME,
          "cannot access free variable '"
              + cell.name()
              + "' where it is not associated with a value in enclosing scope");
    }
  }

  static final class Global extends Node {
    private final CellValue cell;
    private final @Nullable Value given;

    Global(CellValue cell, @Nullable Value given) {
      this.cell = cell;
      this.given = given;
    }

    @Override
    Value eval(Frame f) {
      var value = cell.value;
      if (value != null) return value;
      if (given != null) return given;
      throw Raise.of(ErrorType.NAME, "name '" + cell.name() + "' is not defined");
    }
  }

  /// Keeps a value in a place of the frame while what stands after it runs, so that it can be
  /// measured.
  static final class Hold extends Node {
    private final Node value;
    private final int slot;

    Hold(Node value, int slot) {
      this.value = value;
      this.slot = slot;
    }

    @Override
    Value eval(Frame f) {
      var found = value.eval(f);
      f.slots[slot] = found;
      return found;
    }
  }
}
