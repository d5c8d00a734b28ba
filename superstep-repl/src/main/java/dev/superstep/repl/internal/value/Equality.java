package dev.superstep.repl.internal.value;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Equality and hashes as Python has them: `1 == 1.0 == True`, containers by what they hold.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
public final class Equality {
  private Equality() {}

  /// Returns whether two values are the same or equal, as `in` and keys of maps see it.
  public static boolean same(Meter m, Value a, Value b) {
    return a == b || equal(m, a, b);
  }

  /// Returns whether two values are equal.
  public static boolean equal(Meter m, Value a, Value b) {
    if (a instanceof Int x && b instanceof Int y) return x.value == y.value;
    if (a instanceof Str x && b instanceof Str y) return x.sameAs(m, y);
    if (Numbers.isNumber(a)) return Numbers.isNumber(b) && numbers(a, b);
    if (a == b) return true;
    return switch (a) {
      case ListValue x ->
          b instanceof ListValue y && x.size == y.size && items(m, x.items, y.items, x.size);
      case TupleValue x ->
          b instanceof TupleValue y
              && x.items.length == y.items.length
              && items(m, x.items, y.items, x.items.length);
      case DictValue x -> b instanceof DictValue y && maps(m, x.table(), y.table());
      case SetValue x ->
          b instanceof SetValue y
              && x.table().size() == y.table().size()
              && isSubset(m, x.table(), y.table());
      case RangeValue x -> b instanceof RangeValue y && ranges(x, y);
      case ViewValue x ->
          b instanceof ViewValue y
              && x.side() == y.side()
              && x.side() != Iterate.View.VALUES
              && equal(m, x.set(m), y.set(m));
      case ResultValue x ->
          b instanceof ResultValue y
              && x.ok() == y.ok()
              && nested(m, x.value(), y.value())
              && nested(m, x.error(), y.error());
      case HandleValue x -> b instanceof HandleValue y && x.target() == y.target();
      case TextValue x ->
          b instanceof TextValue y
              && x.source() == y.source()
              && x.from() == y.from()
              && x.length() == y.length();
      case Value _ -> false;
    };
  }

  private static boolean nested(Meter m, Value a, Value b) {
    m.enter(0);
    boolean same = same(m, a, b);
    m.leave(0);
    return same;
  }

  private static boolean items(Meter m, Value[] a, Value[] b, int size) {
    m.enter(0);
    boolean all = true;
    for (int i = 0; all && i < size; i++) {
      m.tick(1);
      all = i < a.length && i < b.length && same(m, a[i], b[i]);
    }
    m.leave(0);
    return all;
  }

  private static boolean maps(Meter m, Table a, Table b) {
    if (a.size() != b.size()) return false;
    m.enter(0);
    boolean all = true;
    for (int i = 0; all && i < a.end(); i++) {
      var key = a.key(i);
      if (key == null) continue;
      m.tick(1);
      var other = b.get(m, key);
      all = other != null && same(m, a.value(i), other);
    }
    m.leave(0);
    return all;
  }

  /// Returns whether one set is in another.
  public static boolean isSubset(Meter m, Table a, Table b) {
    if (a.size() > b.size()) return false;
    for (int i = 0; i < a.end(); i++) {
      var key = a.key(i);
      if (key == null) continue;
      m.tick(1);
      if (!b.contains(m, key)) return false;
    }
    return true;
  }

  private static boolean ranges(RangeValue a, RangeValue b) {
    if (a.size() != b.size()) return false;
    if (a.size() == 0) return true;
    return a.start() == b.start() && (a.size() == 1 || a.step() == b.step());
  }

  private static boolean numbers(Value a, Value b) {
    if (a instanceof Real x && b instanceof Real y) return x.value == y.value;
    if (a instanceof Real x) return mixed(x.value, Numbers.big(b));
    if (b instanceof Real y) return mixed(y.value, Numbers.big(a));
    return Numbers.big(a).equals(Numbers.big(b));
  }

  private static boolean mixed(double real, BigInteger whole) {
    if (Double.isNaN(real) || Double.isInfinite(real)) return false;
    return new BigDecimal(real).compareTo(new BigDecimal(whole)) == 0;
  }

  /// The hash of a value that can be a key.
  public static int hash(Meter m, Value value) {
    return switch (value) {
      case Str s -> {
        m.work(s.chars());
        yield s.text(m).hashCode();
      }
      case Int i -> Long.hashCode(i.value);
      case Bool b -> b.value() ? 1 : 0;
      case Real r -> real(r.value);
      case BigInt b -> b.value().hashCode();
      case None _ -> 0x5F3759DF;
      case TupleValue t -> tuple(m, t);
      case RangeValue r -> Long.hashCode(r.size() * 31 + (r.size() == 0 ? 0 : r.start()));
      case ListValue _, DictValue _, SetValue _, SliceValue _, ViewValue _ ->
          throw Raise.type("unhashable type: '" + value.typeName() + "'");
      case Callable c -> c.label().hashCode();
      case HandleValue h -> h.label().hashCode();
      case TextValue t -> Long.hashCode(t.from() * 31 + t.length());
      case ResultValue _, ErrorValue _, ModuleValue _, PatternValue _, MatchValue _, Iter _ ->
          value.typeName().hashCode();
      case CellValue _ -> throw new IllegalStateException("a cell is no value");
    };
  }

  private static int real(double value) {
    if (value == Math.rint(value) && !Double.isInfinite(value)) {
      if (Math.abs(value) < 9e18) return Long.hashCode((long) value);
      return new BigDecimal(value).toBigInteger().hashCode();
    }
    return Double.hashCode(value);
  }

  private static int tuple(Meter m, TupleValue tuple) {
    m.enter(0);
    m.tick(1 + (tuple.items.length >> 3));
    int hash = 7;
    for (var item : tuple.items) hash = hash * 31 + hash(m, item);
    m.leave(0);
    return hash;
  }
}
