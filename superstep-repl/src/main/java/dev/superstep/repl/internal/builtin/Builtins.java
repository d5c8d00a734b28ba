package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Arith;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.FormatSpec;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions that every session has.
public final class Builtins {
  private static final Map<String, Value> ALL = make();

  private Builtins() {}

  /// Functions, types, exceptions and modules by their names.
  public static Map<String, Value> all() {
    return ALL;
  }

  /// The signature of a function, or `null` for what has none.
  public static dev.superstep.repl.host.@Nullable Signature signature(Value value) {
    if (value instanceof Builtin builtin) return builtin.signature();
    return value instanceof TypeValue type ? type.signature() : null;
  }

  private static Map<String, Value> make() {
    var all = new LinkedHashMap<String, Value>(Types.all());
    all.putAll(ErrorType.all());
    all.put("math", MathModule.module());
    all.put("json", JsonModule.module());
    all.put("re", RegexMethods.module());
    all.put("text", TextMethods.module());
    sequences(all);
    numbers(all);
    others(all);
    return Map.copyOf(all);
  }

  private static void add(Map<String, Value> all, String signature, Builtin.Body body) {
    var made = new Builtin(signature, body);
    all.put(made.label(), made);
  }

  private static void sequences(Map<String, Value> all) {
    add(all, "len(obj, /)", (m, a) -> Int.of(Items.length(need(a[0]))));
    add(
        all,
        "sorted(iterable, /, *, key=, reverse=)",
        (m, a) -> new ListValue(m, Sorting.sorted(m, need(a[0]), a[1], Args.flag(a[2], false))));
    add(all, "reversed(sequence, /)", (m, a) -> Iterators.reversed(m, need(a[0])));
    add(
        all,
        "enumerate(iterable, start=)",
        (m, a) -> Iterators.enumerate(m, need(a[0]), Args.whole(a[1], 0)));
    add(
        all,
        "zip(*iterables, strict=)",
        (m, a) -> Iterators.zip(m, ((TupleValue) need(a[0])).items(), Args.flag(a[1], false)));
    add(
        all,
        "map(function, iterable, /, *iterables)",
        (m, a) -> {
          var rest = ((TupleValue) need(a[2])).items();
          var sources = new Value[rest.length + 1];
          sources[0] = need(a[1]);
          System.arraycopy(rest, 0, sources, 1, rest.length);
          return Iterators.map(m, Sorting.callable(need(a[0])), sources);
        });
    add(
        all,
        "filter(function, iterable, /)",
        (m, a) -> Iterators.filter(m, need(a[0]), need(a[1])));
    add(all, "sum(iterable, /, start=)", (m, a) -> sum(m, need(a[0]), a[1]));
    add(all, "min(first, /, *more, key=, default=)", (m, a) -> most(m, a, false));
    add(all, "max(first, /, *more, key=, default=)", (m, a) -> most(m, a, true));
    add(all, "any(iterable, /)", (m, a) -> Bool.of(find(m, need(a[0]), true)));
    add(all, "all(iterable, /)", (m, a) -> Bool.of(!find(m, need(a[0]), false)));
    add(all, "iter(object, /)", (m, a) -> Iterate.over(m, need(a[0])));
    add(all, "next(iterator, default=, /)", (m, a) -> next(m, need(a[0]), a[1]));
  }

  private static Value sum(Meter m, Value from, @Nullable Value start) {
    Value total = start == null ? Int.ZERO : start;
    if (total instanceof Str)
      throw Raise.type("sum() can't sum strings [use ''.join(seq) instead]");
    var items = Iterate.over(m, from);
    for (var next = items.next(m); next != null; next = items.next(m)) {
      m.tick(1);
      if (total instanceof Int x && next instanceof Int y) {
        long sum = x.value() + y.value();
        boolean overflows = ((x.value() ^ sum) & (y.value() ^ sum)) < 0;
        total = overflows ? Arith.binary(m, "+", total, next) : Int.of(sum);
      } else if (total instanceof Real x && next instanceof Real y) {
        total = new Real(x.value() + y.value());
      } else total = Arith.binary(m, "+", total, next);
    }
    return total;
  }

  private static Value most(Meter m, @Nullable Value[] a, boolean isMax) {
    var more = ((TupleValue) need(a[1])).items();
    if (more.length == 0) return Sorting.most(m, need(a[0]), a[2], a[3], isMax);
    if (a[3] != null) {
      throw Raise.type(
          "Cannot specify a default for "
              + (isMax ? "max()" : "min()")
              + " with multiple positional arguments");
    }
    var all = new Value[more.length + 1];
    all[0] = need(a[0]);
    System.arraycopy(more, 0, all, 1, more.length);
    return Sorting.most(m, TupleValue.of(m, all), a[2], null, isMax);
  }

  private static boolean find(Meter m, Value from, boolean wanted) {
    var items = Iterate.over(m, from);
    for (var next = items.next(m); next != null; next = items.next(m)) {
      m.tick(1);
      if (Truth.of(next) == wanted) return true;
    }
    return false;
  }

  private static Value next(Meter m, Value from, @Nullable Value preset) {
    if (!(from instanceof Iter items)) {
      throw Raise.type("'" + from.typeName() + "' object is not an iterator");
    }
    var next = items.next(m);
    if (next != null) return next;
    if (preset != null) return preset;
    throw new Raise(new ErrorValue(ErrorType.STOP));
  }

  private static void numbers(Map<String, Value> all) {
    add(
        all,
        "abs(x, /)",
        (m, a) -> {
          var x = need(a[0]);
          if (x instanceof Real real) return new Real(Math.abs(real.value()));
          if (Numbers.isWhole(x)) return Int.of(Numbers.big(x).abs());
          throw Raise.type("bad operand type for abs(): '" + x.typeName() + "'");
        });
    add(all, "round(number, ndigits=)", (m, a) -> Conversions.round(m, need(a[0]), a[1]));
    add(
        all,
        "divmod(x, y, /)",
        (m, a) -> {
          var x = need(a[0]);
          var y = need(a[1]);
          if (!Numbers.isNumber(x) || !Numbers.isNumber(y)) {
            throw Raise.type(
                "unsupported operand type(s) for divmod(): '"
                    + x.typeName()
                    + "' and '"
                    + y.typeName()
                    + "'");
          }
          return TupleValue.of(m, Arith.binary(m, "//", x, y), Arith.binary(m, "%", x, y));
        });
    add(
        all,
        "pow(base, exp, mod=)",
        (m, a) ->
            Args.isNone(a[2])
                ? Arith.binary(m, "**", need(a[0]), need(a[1]))
                : Arith.power(m, need(a[0]), need(a[1]), need(a[2])));
    add(all, "hex(x, /)", (m, a) -> digits(m, need(a[0]), 16, "0x"));
    add(all, "oct(x, /)", (m, a) -> digits(m, need(a[0]), 8, "0o"));
    add(all, "bin(x, /)", (m, a) -> digits(m, need(a[0]), 2, "0b"));
    add(
        all,
        "ord(c, /)",
        (m, a) -> {
          if (!(a[0] instanceof Str text))
            throw Raise.type(
                "ord() expected string of length 1, but " + need(a[0]).typeName() + " found");
          if (text.length() != 1)
            throw Raise.type(
                "ord() expected a character, but string of length " + text.length() + " found");
          return Int.of(text.pointAt(m, 0));
        });
    add(all, "chr(i, /)", (m, a) -> Str.ofPoint(StrMethods.point(need(a[0]))));
  }

  private static Value digits(Meter m, Value value, int radix, String prefix) {
    BigInteger number = Numbers.big(value);
    return Str.of(m, (number.signum() < 0 ? "-" : "") + prefix + number.abs().toString(radix));
  }

  private static void others(Map<String, Value> all) {
    add(all, "repr(obj, /)", (m, a) -> Str.of(m, Repr.repr(m, need(a[0]))));
    add(
        all,
        "format(value, format_spec=, /)",
        (m, a) ->
            Str.of(
                m,
                FormatSpec.format(
                    m,
                    need(a[0]),
                    a[1] == null ? "" : Args.text(a[1], "format() argument 2").text(m))));
    add(
        all,
        "isinstance(obj, class_or_tuple, /)",
        (m, a) -> Bool.of(Types.isInstance(need(a[0]), need(a[1]))));
    add(all, "callable(obj, /)", (m, a) -> Bool.of(a[0] instanceof Callable));
    add(all, "type(object, /)", (m, a) -> Types.of(need(a[0])));
  }
}
