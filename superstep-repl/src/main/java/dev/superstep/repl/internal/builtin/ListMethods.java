package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Equality;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The methods of lists and tuples.
final class ListMethods {
  private ListMethods() {}

  static List<Method> all() {
    return List.of(
        new Method(
            "append(object, /)",
            (m, self, a) -> {
              ((ListValue) self).add(m, need(a[0]));
              return None.NONE;
            }),
        new Method(
            "extend(iterable, /)",
            (m, self, a) -> {
              var list = (ListValue) self;
              list.replace(m, list.size(), list.size(), Iterate.all(m, need(a[0])));
              return None.NONE;
            }),
        new Method(
            "insert(index, object, /)",
            (m, self, a) -> {
              var list = (ListValue) self;
              int at = (int) Math.min(Args.place(a[0], 0, list.size()), list.size());
              list.replace(m, at, at, new Value[] {need(a[1])});
              return None.NONE;
            }),
        new Method("pop(index=, /)", ListMethods::pop),
        new Method(
            "remove(value, /)",
            (m, self, a) -> {
              int at = find(m, self, a);
              if (at < 0) throw Raise.value("list.remove(x): x not in list");
              ((ListValue) self).remove(m, at);
              return None.NONE;
            }),
        new Method(
            "clear()",
            (m, self, a) -> {
              ((ListValue) self).clear();
              return None.NONE;
            }),
        new Method("copy()", (m, self, a) -> new ListValue(m, ((ListValue) self).copy(m))),
        new Method(
            "reverse()",
            (m, self, a) -> {
              var list = (ListValue) self;
              var items = list.copy(m);
              for (int i = 0; i < items.length; i++) list.set(i, items[items.length - 1 - i]);
              return None.NONE;
            }),
        new Method(
            "sort(*, key=, reverse=)",
            (m, self, a) -> {
              var list = (ListValue) self;
              list.become(Sorting.sorted(m, list, a[0], Args.flag(a[1], false)));
              return None.NONE;
            }),
        index(),
        count());
  }

  static List<Method> ofTuples() {
    return List.of(index(), count());
  }

  private static Method index() {
    return new Method(
        "index(value, start=, stop=, /)",
        (m, self, a) -> {
          int at = find(m, self, a);
          if (at < 0) {
            throw Raise.value(
                self instanceof TupleValue
                    ? "tuple.index(x): x not in tuple"
                    : Repr.repr(m, need(a[0])) + " is not in " + self.typeName());
          }
          return Int.of(at);
        });
  }

  private static Method count() {
    return new Method(
        "count(value, /)",
        (m, self, a) -> {
          long count = 0;
          var from = Iterate.over(m, self);
          for (var next = from.next(m); next != null; next = from.next(m)) {
            m.tick(1);
            if (Equality.same(m, next, need(a[0]))) count++;
          }
          return Int.of(count);
        });
  }

  private static int find(Meter m, Value self, @Nullable Value[] a) {
    long size = Items.length(self);
    long from = a.length > 1 ? Args.place(a[1], 0, size) : 0;
    long to = a.length > 1 ? Math.min(size, Args.place(a[2], size, size)) : size;
    for (long i = from; i < to && i < Items.length(self); i++) {
      m.tick(1);
      if (Equality.same(m, Items.get(m, self, Int.of(i)), need(a[0]))) return (int) i;
    }
    return -1;
  }

  private static Value pop(Meter m, Value self, @Nullable Value[] a) {
    var list = (ListValue) self;
    if (list.size() == 0) throw Raise.index("pop from empty list");
    var given = a[0];
    long at = given == null ? -1 : Numbers.whole(given);
    if (at < 0) at += list.size();
    if (at < 0 || at >= list.size()) throw Raise.index("pop index out of range");
    return list.remove(m, (int) at);
  }
}
