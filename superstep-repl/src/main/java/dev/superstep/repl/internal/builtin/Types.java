package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.ResultValue;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The names of types.
final class Types {
  private static final Map<String, Value> NAMED = named();

  private Types() {}

  static Map<String, Value> all() {
    return NAMED;
  }

  private static void add(
      Map<String, Value> all,
      String signature,
      Predicate<Value> test,
      Value sample,
      Builtin.Body body) {
    var type = new TypeValue(new Builtin(signature, body), test, members(signature), sample);
    all.put(type.label(), type);
  }

  private static Map<String, Value> named() {
    var all = new LinkedHashMap<String, Value>();
    add(
        all,
        "int(x=, /, base=)",
        Numbers::isWhole,
        Int.ZERO,
        (m, a) -> Conversions.whole(m, a[0], a[1]));
    add(
        all,
        "float(x=, /)",
        v -> v instanceof Real,
        new Real(0),
        (m, a) -> a[0] == null ? new Real(0) : Conversions.real(m, a[0]));
    add(
        all,
        "bool(x=, /)",
        v -> v instanceof Bool,
        Int.ZERO,
        (m, a) -> Bool.of(a[0] != null && Truth.of(a[0])));
    add(all, "str(object=)", v -> v instanceof Str, Str.EMPTY, (m, a) -> text(m, a[0]));
    add(
        all,
        "list(iterable=, /)",
        v -> v instanceof ListValue,
        new ListValue(),
        (m, a) -> a[0] == null ? new ListValue() : Iterate.list(m, a[0]));
    add(
        all,
        "tuple(iterable=, /)",
        v -> v instanceof TupleValue,
        TupleValue.EMPTY,
        (m, a) -> tuple(m, a[0]));
    add(
        all,
        "range(start, stop=, step=, /)",
        v -> v instanceof RangeValue,
        TupleValue.EMPTY,
        Types::range);
    var sample = new Meter(new Meter.Limits(1_000, 10_000, 10), m -> 0, () -> 0);
    add(
        all,
        "dict(from=, /, **kwargs)",
        v -> v instanceof DictValue,
        new DictValue(sample),
        Types::map);
    add(
        all,
        "set(iterable=, /)",
        v -> v instanceof SetValue,
        new SetValue(sample),
        (m, a) -> {
          var set = new SetValue(m);
          if (a[0] != null) set.table().addAll(m, SetMethods.set(m, a[0]).table());
          return set;
        });
    var text =
        TypeValue.closed(
            "Text",
            v -> v instanceof TextValue,
            new TextValue(dev.superstep.repl.host.TextSource.of(""), 0, 0));
    all.put("Text", text);
    all.put("Result", TypeValue.closed("Result", v -> v instanceof ResultValue, None.NONE));
    return Map.copyOf(all);
  }

  private static Map<String, Value> members(String signature) {
    if (signature.startsWith("dict(")) {
      return Map.of(
          "fromkeys",
          new Builtin(
              "fromkeys(iterable, value=, /)",
              (m, a) -> {
                var map = new DictValue(m);
                for (var key : Iterate.all(m, need(a[0]))) {
                  m.tick(1);
                  map.table().put(m, key, a[1] == null ? None.NONE : a[1]);
                }
                return map;
              }));
    }
    if (!signature.startsWith("str(")) return Map.of();
    return Map.of("maketrans", new Builtin("maketrans(x, y=, z=, /)", Types::table));
  }

  private static Value table(Meter m, @Nullable Value[] a) {
    var map = new DictValue(m);
    if (a[1] == null) {
      if (!(a[0] instanceof DictValue given)) {
        throw Raise.type("if you give only one argument to maketrans it must be a dict");
      }
      for (var key : given.table().keyList(m)) {
        var value = given.table().get(m, key);
        var point = key instanceof Str s && s.length() == 1 ? Int.of(s.pointAt(m, 0)) : key;
        if (value != null) map.table().put(m, point, value);
      }
      return map;
    }
    var from = Args.text(a[0], "first maketrans argument").text(m).codePoints().toArray();
    var to = Args.text(a[1], "second maketrans argument").text(m).codePoints().toArray();
    if (from.length != to.length) {
      throw Raise.value("the first two maketrans arguments must have equal length");
    }
    m.tick(from.length);
    for (int i = 0; i < from.length; i++) map.table().put(m, Int.of(from[i]), Int.of(to[i]));
    if (a[2] != null) {
      Args.text(a[2], "third maketrans argument")
          .text(m)
          .codePoints()
          .forEach(c -> map.table().put(m, Int.of(c), None.NONE));
    }
    return map;
  }

  private static Value text(Meter m, @Nullable Value value) {
    if (value == null) return Str.EMPTY;
    return value instanceof Str text ? text : Str.of(m, Repr.str(m, value));
  }

  private static Value tuple(Meter m, @Nullable Value from) {
    if (from == null) return TupleValue.EMPTY;
    return from instanceof TupleValue tuple ? tuple : TupleValue.of(m, Iterate.all(m, from));
  }

  private static Value range(Meter m, @Nullable Value[] a) {
    long first = Numbers.whole(need(a[0]));
    if (a[1] == null) return new RangeValue(0, first, 1);
    long step = a[2] == null ? 1 : Numbers.whole(a[2]);
    if (step == 0) throw Raise.value("range() arg 3 must not be zero");
    return new RangeValue(first, Numbers.whole(a[1]), step);
  }

  private static Value map(Meter m, @Nullable Value[] a) {
    var map = new DictValue(m);
    DictMethods.update(m, map, a[0]);
    map.table().addAll(m, ((DictValue) need(a[1])).table());
    return map;
  }

  /// Returns whether a value is of a type, or of one of several.
  static boolean isInstance(Value value, Value type) {
    return switch (type) {
      case TypeValue one -> one.matches(value);
      case ErrorType one -> value instanceof ErrorValue error && error.type().isA(one);
      case TupleValue several -> {
        for (var one : several.items()) if (isInstance(value, one)) yield true;
        yield false;
      }
      case Value _ ->
          throw Raise.type("isinstance() arg 2 must be a type, a tuple of types, or a union");
    };
  }

  /// The type of a value.
  static Value of(Value value) {
    if (value instanceof ErrorValue error) return error.type();
    var known = NAMED.get(value.typeName());
    return known != null
        ? known
        : TypeValue.closed(value.typeName(), v -> v.typeName().equals(value.typeName()), None.NONE);
  }

  /// The names that can stand in `isinstance`.
  static List<String> names() {
    return new ArrayList<>(NAMED.keySet());
  }

  static boolean isType(Callable callable) {
    return callable instanceof TypeValue;
  }
}
