package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Order;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Sorting and the smallest and largest.
final class Sorting {
  private Sorting() {}

  static Value[] sorted(Meter m, Value from, @Nullable Value key, boolean isReverse) {
    var items = Iterate.all(m, from);
    var keys = items;
    if (key != null && !Args.isNone(key)) {
      m.charge((long) Value.PLACE * items.length);
      keys = new Value[items.length];
      m.hold(items);
      m.hold(keys);
      var by = callable(key);
      for (int i = 0; i < items.length; i++) keys[i] = by.call(m, items[i]);
      m.release();
      m.release();
    }
    Order.sort(m, keys, items, isReverse);
    return items;
  }

  static Callable callable(Value value) {
    if (value instanceof Callable callable) return callable;
    throw Raise.type("'" + value.typeName() + "' object is not callable");
  }

  /// The smallest or largest of some values.
  ///
  /// @param preset for none at all; `null` if that is an error
  static Value most(
      Meter m, Value from, @Nullable Value key, @Nullable Value preset, boolean isMax) {
    var by = key == null || Args.isNone(key) ? null : callable(key);
    Value best = null;
    Value bestKey = null;
    var items = Iterate.over(m, from);
    m.hold(items);
    for (var next = items.next(m); next != null; next = items.next(m)) {
      m.tick(1);
      var rank = by == null ? next : by.call(m, next);
      if (bestKey == null
          || (isMax ? Order.test(m, ">", rank, bestKey) : Order.less(m, rank, bestKey))) {
        best = next;
        bestKey = rank;
      }
    }
    m.release();
    if (best != null) return best;
    if (preset != null) return preset;
    throw Raise.value((isMax ? "max()" : "min()") + " arg is an empty sequence");
  }
}
