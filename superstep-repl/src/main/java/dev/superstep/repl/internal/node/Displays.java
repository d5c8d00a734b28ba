package dev.superstep.repl.internal.node;

import static java.util.Objects.requireNonNull;

import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.FormatSpec;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.SliceValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Lists, tuples, sets, maps and f-strings as they are written, and items of them.
final class Displays {
  private Displays() {}

  static final class Sequence extends Node {
    private final Node[] items;
    private final boolean[] isStar;
    private final boolean isTuple;

    Sequence(Node[] items, boolean[] isStar, boolean isTuple) {
      this.items = items;
      this.isStar = isStar;
      this.isTuple = isTuple;
    }

    @Override
    Value eval(Frame f) {
      for (boolean star : isStar) if (star) return spread(f);
      var values = new Value[items.length];
      for (int i = 0; i < values.length; i++) values[i] = items[i].eval(f);
      if (isTuple) return TupleValue.of(f.m, values);
      f.m.charge((long) Value.PLACE * values.length);
      return new ListValue(f.m, values);
    }

    private Value spread(Frame f) {
      var all = ListValue.sized(f.m, items.length);
      f.m.hold(all);
      for (int i = 0; i < items.length; i++) {
        var value = items[i].eval(f);
        if (!isStar[i]) all.add(f.m, value);
        else for (var item : Iterate.all(f.m, value)) all.add(f.m, item);
      }
      f.m.release();
      return isTuple ? TupleValue.of(f.m, all.copy(f.m)) : all;
    }
  }

  static final class SetOf extends Node {
    private final Node[] items;
    private final boolean[] isStar;

    SetOf(Node[] items, boolean[] isStar) {
      this.items = items;
      this.isStar = isStar;
    }

    @Override
    Value eval(Frame f) {
      for (boolean star : isStar) if (star) return spread(f);
      // All items come first: one that fails does so before one that cannot be in a set.
      var values = new Value[items.length];
      for (int i = 0; i < values.length; i++) values[i] = items[i].eval(f);
      var all = new SetValue(f.m);
      for (var value : values) all.table().add(f.m, value);
      return all;
    }

    private Value spread(Frame f) {
      var all = new SetValue(f.m);
      f.m.hold(all);
      for (int i = 0; i < items.length; i++) {
        var value = items[i].eval(f);
        if (!isStar[i]) all.table().add(f.m, value);
        else for (var item : Iterate.all(f.m, value)) all.table().add(f.m, item);
      }
      f.m.release();
      return all;
    }
  }

  static final class MapOf extends Node {
    private final @Nullable Node[] keys;
    private final Node[] values;

    MapOf(@Nullable Node[] keys, Node[] values) {
      this.keys = keys;
      this.values = values;
    }

    @Override
    Value eval(Frame f) {
      for (var key : keys) if (key == null) return spread(f);
      // All items come first: one that fails does so before a key that cannot be one.
      var found = new Value[2 * values.length];
      for (int i = 0; i < values.length; i++) {
        found[2 * i] = requireNonNull(keys[i]).eval(f);
        found[2 * i + 1] = values[i].eval(f);
      }
      var all = new DictValue(f.m);
      for (int i = 0; i < found.length; i += 2) all.table().put(f.m, found[i], found[i + 1]);
      return all;
    }

    private Value spread(Frame f) {
      var all = new DictValue(f.m);
      f.m.hold(all);
      for (int i = 0; i < values.length; i++) {
        var key = keys[i];
        if (key != null) {
          var name = key.eval(f);
          all.table().put(f.m, name, values[i].eval(f));
          continue;
        }
        var more = values[i].eval(f);
        if (!(more instanceof DictValue map)) {
          throw Raise.type("'" + more.typeName() + "' object is not a mapping");
        }
        all.table().addAll(f.m, map.table());
      }
      f.m.release();
      return all;
    }
  }

  static final class Subscript extends Node {
    private final Node value;
    private final Node key;

    Subscript(Node value, Node key) {
      this.value = value;
      this.key = key;
    }

    @Override
    Value eval(Frame f) {
      var from = value.eval(f);
      var at = key.eval(f);
      if (from instanceof ListValue list && at instanceof Int i) {
        long index = i.value();
        if (index < 0) index += list.size();
        if (index >= 0 && index < list.size()) return list.get((int) index);
      } else if (from instanceof DictValue map) {
        var found = map.table().get(f.m, at);
        if (found != null) return found;
      }
      return Items.get(f.m, from, at);
    }
  }

  static final class Slice extends Node {
    private final Node from;
    private final Node to;
    private final Node step;

    Slice(Node from, Node to, Node step) {
      this.from = from;
      this.to = to;
      this.step = step;
    }

    @Override
    Value eval(Frame f) {
      return new SliceValue(from.eval(f), to.eval(f), step.eval(f));
    }
  }

  /// An f-string, or the format of one of its fields.
  static final class Joined extends Node {
    private final Node[] parts;

    Joined(Node[] parts) {
      this.parts = parts;
    }

    @Override
    Value eval(Frame f) {
      var text = new StringBuilder();
      for (var part : parts) {
        var value = (Str) part.eval(f);
        if (value.chars() > 256) f.m.charge(4L * value.chars());
        f.m.work(value.chars());
        text.append(value.text(f.m));
      }
      return Str.of(f.m, text.toString());
    }
  }

  static final class Field extends Node {
    private final Node value;
    private final char conversion;
    private final @Nullable Node spec;

    Field(Node value, char conversion, @Nullable Node spec) {
      this.value = value;
      this.conversion = conversion;
      this.spec = spec;
    }

    @Override
    Value eval(Frame f) {
      var shown = value.eval(f);
      if (conversion == 'r' || conversion == 'a') shown = Str.of(f.m, Repr.repr(f.m, shown));
      else if (conversion == 's') shown = Str.of(f.m, Repr.str(f.m, shown));
      if (spec == null) return shown instanceof Str ? shown : Str.of(f.m, Repr.str(f.m, shown));
      var format = ((Str) spec.eval(f)).text(f.m);
      return Str.of(f.m, FormatSpec.format(f.m, shown, format));
    }
  }

  static final class Walrus extends Node {
    private final Store target;
    private final Node value;

    Walrus(Store target, Node value) {
      this.target = target;
      this.value = value;
    }

    @Override
    Value eval(Frame f) {
      var found = value.eval(f);
      target.store(f, found);
      return found;
    }
  }

  static final Node NOTHING = new Variables.Constant(None.NONE);
}
