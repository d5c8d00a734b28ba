package dev.superstep.repl.internal.value;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Measures what is reachable, each thing once. Goes by a list of its own, so that no depth of
/// nesting is too deep.
public final class Footprint {
  private final Meter meter;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> open = new ArrayDeque<>();
  private long bytes;

  public Footprint(Meter meter) {
    this.meter = meter;
  }

  /// Things that are held by a function, such as its closure.
  public interface Holder {
    Object[] keeps();
  }

  /// Adds a thing, or an array of them.
  public void add(@Nullable Object thing) {
    if (thing == null || isSmall(thing)) return;
    if (seen.add(thing)) open.add(thing);
  }

  void all(@Nullable Object[] things) {
    meter.tick(1 + (things.length >> 5));
    for (var thing : things) add(thing);
  }

  private static boolean isSmall(Object thing) {
    return thing instanceof Int
        || thing instanceof Real
        || thing instanceof Bool
        || thing == None.NONE;
  }

  /// The bytes of all that was added and what it holds.
  public long bytes() {
    while (true) {
      var next = open.poll();
      if (next == null) return bytes;
      meter.tick(1);
      if (next instanceof Object[] array) {
        bytes += 16 + (long) Value.PLACE * array.length;
        all(array);
      } else if (next instanceof Value value) visit(value);
      else if (next instanceof StringBuilder buffer) bytes += 2L * buffer.capacity();
    }
  }

  private void visit(Value value) {
    switch (value) {
      case Str s -> {
        bytes += s.ownBytes();
        add(s.buffer());
      }
      case ListValue l -> {
        bytes += 40 + (long) Value.PLACE * l.items.length;
        all(l.items);
      }
      case TupleValue t -> {
        bytes += 24 + (long) Value.PLACE * t.items.length;
        all(t.items);
      }
      case DictValue d -> table(d.table());
      case SetValue s -> table(s.table());
      case ResultValue r -> {
        bytes += 64;
        add(r.value());
        add(r.error());
      }
      case ErrorValue e -> {
        bytes += 64;
        add(e.args());
      }
      case MatchValue g -> {
        bytes += 96;
        add(g.text());
        add(g.pattern());
      }
      case PatternValue p -> bytes += 1_024 + 256L * p.weight();
      case BigInt b -> bytes += 64 + b.value().bitLength() / 8;
      case CellValue c -> {
        bytes += 32;
        add(c.value);
      }
      case ViewValue v -> {
        bytes += 32;
        add(v.map());
      }
      case Iter i -> held(i.keeps());
      case Callable c -> {
        if (c instanceof Holder holder) held(holder.keeps());
      }
      case TextValue _, RangeValue _, HandleValue _, SliceValue _, ModuleValue _ -> bytes += 64;
      case None _, Bool _, Int _, Real _ -> {}
    }
  }

  private void held(Object[] things) {
    bytes += 96 + (long) Value.PLACE * things.length;
    all(things);
  }

  private void table(Table table) {
    bytes += table.bytes();
    table.visit(this);
  }
}
