package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Equality;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.SetMath;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The methods of sets.
final class SetMethods {
  private SetMethods() {}

  static List<Method> all() {
    return List.of(
        new Method(
            "add(element, /)",
            (m, self, a) -> {
              ((SetValue) self).table().add(m, need(a[0]));
              return None.NONE;
            }),
        new Method(
            "discard(element, /)",
            (m, self, a) -> {
              ((SetValue) self).table().remove(m, need(a[0]));
              return None.NONE;
            }),
        new Method(
            "remove(element, /)",
            (m, self, a) -> {
              if (((SetValue) self).table().remove(m, need(a[0])) == null)
                throw Raise.key(need(a[0]));
              return None.NONE;
            }),
        new Method("pop()", SetMethods::pop),
        new Method(
            "clear()",
            (m, self, a) -> {
              ((SetValue) self).table().clear();
              return None.NONE;
            }),
        new Method("copy()", (m, self, a) -> copy(m, self)),
        new Method(
            "update(*others)",
            (m, self, a) -> {
              for (var other : others(a))
                ((SetValue) self).table().addAll(m, set(m, other).table());
              return None.NONE;
            }),
        math("union(*others)", "|"),
        math("intersection(*others)", "&"),
        math("difference(*others)", "-"),
        math("symmetric_difference(other, /)", "^"),
        change("intersection_update(*others)", "&"),
        change("difference_update(*others)", "-"),
        new Method(
            "issubset(other, /)",
            (m, self, a) ->
                Bool.of(
                    Equality.isSubset(m, ((SetValue) self).table(), set(m, need(a[0])).table()))),
        new Method(
            "issuperset(other, /)",
            (m, self, a) ->
                Bool.of(
                    Equality.isSubset(m, set(m, need(a[0])).table(), ((SetValue) self).table()))),
        new Method(
            "isdisjoint(other, /)",
            (m, self, a) -> Bool.of(isDisjoint(m, (SetValue) self, need(a[0])))));
  }

  /// A set of the items of a value.
  static SetValue set(Meter m, Value from) {
    if (from instanceof SetValue set) return set;
    var all = new SetValue(m);
    var items = Iterate.over(m, from);
    m.hold(all);
    for (var next = items.next(m); next != null; next = items.next(m)) {
      m.tick(1);
      all.table().add(m, next);
    }
    m.release();
    return all;
  }

  private static boolean isDisjoint(Meter m, SetValue set, Value other) {
    if (other instanceof SetValue all) {
      return SetMath.apply(m, "&", set, all).table().size() == 0;
    }
    var items = Iterate.over(m, other);
    for (var next = items.next(m); next != null; next = items.next(m)) {
      m.tick(1);
      if (set.table().contains(m, next)) return false;
    }
    return true;
  }

  /// Applies an operator to a set and any iterable.
  private static SetValue combined(Meter m, String op, SetValue set, Value other) {
    var second = set(m, other);
    return op.equals("&") && !(other instanceof SetValue)
        ? SetMath.shared(m, second, set)
        : SetMath.apply(m, op, set, second);
  }

  private static SetValue copy(Meter m, Value from) {
    var all = new SetValue(m);
    all.table().addAll(m, ((SetValue) from).table());
    return all;
  }

  private static Value[] others(@Nullable Value[] a) {
    return a[0] instanceof TupleValue several ? several.items() : new Value[] {need(a[0])};
  }

  private static Method math(String signature, String op) {
    boolean isSingle = !signature.contains("*");
    return new Method(
        signature,
        (m, self, a) -> {
          if (isSingle) return SetMath.apply(m, op, (SetValue) self, set(m, need(a[0])));
          var result = copy(m, self);
          for (var other : others(a)) result = combined(m, op, result, other);
          return result;
        });
  }

  private static Method change(String signature, String op) {
    return new Method(
        signature,
        (m, self, a) -> {
          var set = (SetValue) self;
          for (var other : others(a)) {
            var result = combined(m, op, set, other);
            set.table().clear();
            set.table().addAll(m, result.table());
          }
          return None.NONE;
        });
  }

  private static Value pop(Meter m, Value self, @Nullable Value[] a) {
    var table = ((SetValue) self).table();
    for (int i = 0; i < table.end(); i++) {
      var key = table.key(i);
      if (key == null) continue;
      m.tick(1 + (i >> 4));
      table.removeAt(m, i);
      return key;
    }
    throw Raise.of(ErrorType.KEY, "pop from an empty set");
  }
}
