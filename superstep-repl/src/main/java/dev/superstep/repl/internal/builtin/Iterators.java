package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// The iterators that builtins make: they work as far as they are asked.
final class Iterators {
  private Iterators() {}

  static Iter map(Meter m, Callable function, Value[] sources) {
    var from = all(m, sources);
    return new Made("map", function, from) {
      @Override
      @Nullable Value step(Meter meter) {
        var args = new Value[from.length];
        for (int i = 0; i < from.length; i++) {
          var next = from[i].next(meter);
          if (next == null) return null;
          args[i] = next;
        }
        return function.call(meter, args);
      }
    };
  }

  static Iter filter(Meter m, Value test, Value source) {
    var from = Iterate.over(m, source);
    var function = Args.isNone(test) ? null : Sorting.callable(test);
    return new Made("filter", test, from) {
      @Override
      @Nullable Value step(Meter meter) {
        for (var next = from.next(meter); next != null; next = from.next(meter)) {
          meter.tick(1);
          if (Truth.of(function == null ? next : function.call(meter, next))) return next;
        }
        return null;
      }
    };
  }

  static Iter zip(Meter m, Value[] sources, boolean isStrict) {
    var from = all(m, sources);
    return new Made("zip", (Object) from) {
      @Override
      @Nullable Value step(Meter meter) {
        if (from.length == 0) return null;
        var items = new Value[from.length];
        for (int i = 0; i < from.length; i++) {
          var next = from[i].next(meter);
          if (next == null) {
            if (isStrict) check(meter, i);
            return null;
          }
          items[i] = next;
        }
        return TupleValue.of(meter, items);
      }

      private void check(Meter meter, int ended) {
        if (ended > 0) {
          throw Raise.value(
              "zip() argument "
                  + (ended + 1)
                  + " is shorter than argument"
                  + (ended == 1 ? " 1" : "s 1-" + ended));
        }
        for (int i = 1; i < from.length; i++) {
          if (from[i].next(meter) != null) {
            throw Raise.value(
                "zip() argument "
                    + (i + 1)
                    + " is longer than argument"
                    + (i == 1 ? " 1" : "s 1-" + i));
          }
        }
      }
    };
  }

  static Iter enumerate(Meter m, Value source, long start) {
    var from = Iterate.over(m, source);
    return new Made("enumerate", from) {
      private long index = start;

      @Override
      @Nullable Value step(Meter meter) {
        var next = from.next(meter);
        return next == null ? null : TupleValue.of(meter, Int.of(index++), next);
      }
    };
  }

  static Iter reversed(Meter m, Value source) {
    if (source instanceof dev.superstep.repl.internal.value.DictValue map) {
      return reversed(m, new ListValue(m, map.table().keyList(m)));
    }
    if (source instanceof dev.superstep.repl.internal.value.ViewValue view) {
      return reversed(m, Iterate.list(m, view));
    }
    if (!(source instanceof ListValue
        || source instanceof TupleValue
        || source instanceof Str
        || source instanceof RangeValue)) {
      throw Raise.type("'" + source.typeName() + "' object is not reversible");
    }
    return new Made("reversed", source) {
      private long at = Items.length(source) - 1;

      @Override
      @Nullable Value step(Meter meter) {
        if (at < 0 || at >= Items.length(source)) return null;
        return Items.get(meter, source, Int.of(at--));
      }
    };
  }

  private static Iter[] all(Meter m, Value[] sources) {
    var from = new Iter[sources.length];
    for (int i = 0; i < from.length; i++) from[i] = Iterate.over(m, sources[i]);
    return from;
  }

  private abstract static class Made extends Iter {
    private final String type;
    private final Object[] keeps;
    private boolean ended;

    Made(String type, Object... keeps) {
      this.type = type;
      this.keeps = keeps;
    }

    abstract @Nullable Value step(Meter m);

    @Override
    public final @Nullable Value next(Meter m) {
      if (ended) return null;
      m.tick(1);
      m.enter(0);
      var found = step(m);
      m.leave(0);
      if (found == null) ended = true;
      return found;
    }

    @Override
    public Object[] keeps() {
      return keeps;
    }

    @Override
    public boolean callsBack() {
      return true;
    }

    @Override
    public String typeName() {
      return type;
    }
  }
}
