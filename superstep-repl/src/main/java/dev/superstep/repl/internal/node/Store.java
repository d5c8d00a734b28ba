package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.Arrays;

/// A target that takes a value.
abstract class Store {
  abstract void store(Frame f, Value value);

  /// Unbinds it.
  abstract void delete(Frame f);

  static final class Local extends Store {
    final int slot;
    private final String name;

    Local(int slot, String name) {
      this.slot = slot;
      this.name = name;
    }

    @Override
    void store(Frame f, Value value) {
      f.slots[slot] = value;
    }

    @Override
    void delete(Frame f) {
      if (f.slots[slot] == null) throw Variables.unbound(name);
      f.slots[slot] = null;
    }
  }

  static final class Shared extends Store {
    private final int slot;

    Shared(int slot) {
      this.slot = slot;
    }

    @Override
    void store(Frame f, Value value) {
      Variables.cell(f, slot).value = value;
    }

    @Override
    void delete(Frame f) {
      var cell = Variables.cell(f, slot);
      if (cell.value == null) throw Variables.unbound(cell.name());
      cell.value = null;
    }
  }

  static final class Global extends Store {
    private final CellValue cell;

    Global(CellValue cell) {
      this.cell = cell;
    }

    @Override
    void store(Frame f, Value value) {
      cell.value = value;
    }

    @Override
    void delete(Frame f) {
      if (cell.value == null) {
        throw Raise.of(ErrorType.NAME, "name '" + cell.name() + "' is not defined");
      }
      cell.value = null;
    }
  }

  static final class Item extends Store {
    private final Node in;
    private final Node key;

    Item(Node in, Node key) {
      this.in = in;
      this.key = key;
    }

    @Override
    void store(Frame f, Value value) {
      Items.set(f.m, in.eval(f), key.eval(f), value);
    }

    @Override
    void delete(Frame f) {
      Items.delete(f.m, in.eval(f), key.eval(f));
    }
  }

  static final class Unpack extends Store {
    private final Store[] targets;
    private final int star;

    /// @param star the index of the target with `*`, or -1
    Unpack(Store[] targets, int star) {
      this.targets = targets;
      this.star = star;
    }

    @Override
    void store(Frame f, Value value) {
      if (value instanceof TupleValue tuple && star < 0 && tuple.size() == targets.length) {
        for (int i = 0; i < targets.length; i++) targets[i].store(f, tuple.get(i));
        return;
      }
      var items = star < 0 ? exactly(f.m, value) : atLeast(f.m, value);
      f.m.hold(items);
      int after = star < 0 ? 0 : targets.length - star - 1;
      for (int i = 0; i < targets.length; i++) {
        if (i == star) {
          f.m.charge((long) Value.PLACE * items.length);
          var rest = Arrays.copyOfRange(items, star, items.length - after);
          targets[i].store(f, new ListValue(f.m, rest));
        } else {
          boolean isAfter = star >= 0 && i > star;
          targets[i].store(f, items[isAfter ? items.length - targets.length + i : i]);
        }
      }
      f.m.release();
    }

    private Value[] exactly(Meter m, Value value) {
      var from = iterator(m, value);
      var items = new Value[targets.length];
      for (int i = 0; i < items.length; i++) {
        var next = from.next(m);
        if (next == null) {
          throw Raise.value(
              "not enough values to unpack (expected " + targets.length + ", got " + i + ")");
        }
        items[i] = next;
      }
      if (from.next(m) != null) {
        throw Raise.value("too many values to unpack (expected " + targets.length + ")");
      }
      return items;
    }

    private Value[] atLeast(Meter m, Value value) {
      var items = Iterate.all(m, iterator(m, value));
      if (items.length < targets.length - 1) {
        throw Raise.value(
            "not enough values to unpack (expected at least "
                + (targets.length - 1)
                + ", got "
                + items.length
                + ")");
      }
      return items;
    }

    private static dev.superstep.repl.internal.value.Iter iterator(Meter m, Value value) {
      try {
        return Iterate.over(m, value);
      } catch (Raise e) {
        if (e.error().type() != ErrorType.TYPE) throw e;
        throw Raise.type("cannot unpack non-iterable " + value.typeName() + " object");
      }
    }

    @Override
    void delete(Frame f) {
      for (var target : targets) target.delete(f);
    }
  }
}
