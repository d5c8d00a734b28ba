package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import dev.superstep.repl.internal.value.ViewValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The methods of maps.
final class DictMethods {
  private DictMethods() {}

  static List<Method> all() {
    return List.of(
        new Method(
            "get(key, default=, /)",
            (m, self, a) -> {
              var found = ((DictValue) self).table().get(m, need(a[0]));
              return found != null ? found : orNone(a[1]);
            }),
        view("keys()", Iterate.View.KEYS),
        view("values()", Iterate.View.VALUES),
        view("items()", Iterate.View.ITEMS),
        new Method(
            "pop(key, default=, /)",
            (m, self, a) -> {
              var gone = ((DictValue) self).table().remove(m, need(a[0]));
              if (gone != null) return gone;
              var preset = a[1];
              if (preset == null) throw Raise.key(need(a[0]));
              return preset;
            }),
        new Method("popitem()", DictMethods::popItem),
        new Method(
            "setdefault(key, default=, /)",
            (m, self, a) -> {
              var table = ((DictValue) self).table();
              var found = table.get(m, need(a[0]));
              if (found != null) return found;
              table.put(m, need(a[0]), orNone(a[1]));
              return orNone(a[1]);
            }),
        new Method(
            "update(other=, /, **kwargs)",
            (m, self, a) -> {
              update(m, (DictValue) self, a[0]);
              ((DictValue) self).table().addAll(m, ((DictValue) need(a[1])).table());
              return None.NONE;
            }),
        new Method(
            "clear()",
            (m, self, a) -> {
              ((DictValue) self).table().clear();
              return None.NONE;
            }),
        new Method(
            "copy()",
            (m, self, a) -> {
              var copy = new DictValue(m);
              copy.table().addAll(m, ((DictValue) self).table());
              return copy;
            }));
  }

  private static Value orNone(@Nullable Value value) {
    return value == null ? None.NONE : value;
  }

  private static Method view(String signature, Iterate.View side) {
    return new Method(
        signature,
        (m, self, a) -> {
          m.charge(32);
          return new ViewValue((DictValue) self, side);
        });
  }

  private static Value popItem(Meter m, Value self, @Nullable Value[] a) {
    var table = ((DictValue) self).table();
    for (int i = table.end() - 1; i >= 0; i--) {
      var key = table.key(i);
      if (key != null) return TupleValue.of(m, key, table.removeAt(m, i));
    }
    throw Raise.of(ErrorType.KEY, "popitem(): dictionary is empty");
  }

  /// Adds the entries of a map, or pairs.
  static void update(Meter m, DictValue into, @Nullable Value from) {
    if (from == null) return;
    if (from instanceof DictValue map) {
      into.table().addAll(m, map.table());
      return;
    }
    var pairs = Iterate.over(m, from);
    int index = 0;
    for (var next = pairs.next(m); next != null; next = pairs.next(m), index++) {
      m.tick(1);
      if (next instanceof Str || !isIterable(m, next)) {
        if (!(next instanceof Str text) || text.length() != 2) {
          throw Raise.type(
              "cannot convert dictionary update sequence element #" + index + " to a sequence");
        }
      }
      var pair = Iterate.all(m, next);
      if (pair.length != 2) {
        throw Raise.value(
            "dictionary update sequence element #"
                + index
                + " has length "
                + pair.length
                + "; 2 is required");
      }
      into.table().put(m, pair[0], pair[1]);
    }
  }

  private static boolean isIterable(Meter m, Value value) {
    try {
      return Iterate.over(m, value) != null;
    } catch (Raise _) {
      return false;
    }
  }
}
