package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.name.Variable;
import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Comprehensions, which run at once in the frame around them, and generators, which run in a frame
/// of their own as far as they are asked.
final class Comprehensions {
  private Comprehensions() {}

  /// `for target in source if test`.
  @SuppressWarnings("ArrayRecordComponent") // Never compared or shown.
  record Clause(Node source, Store target, Node[] tests, int cost) {
    boolean passes(Frame f) {
      for (var test : tests) if (!test.test(f)) return false;
      return true;
    }
  }

  static final class Collect extends Node {
    private final Expr.Made made;
    private final Clause[] clauses;
    private final Node element;
    private final @Nullable Node value;
    private final Variable[] shared;

    Collect(
        Expr.Made made, Clause[] clauses, Node element, @Nullable Node value, Variable[] shared) {
      this.made = made;
      this.clauses = clauses;
      this.element = element;
      this.value = value;
      this.shared = shared;
    }

    @Override
    Value eval(Frame f) {
      for (var variable : shared) f.slots[variable.slot()] = null;
      Cells.fill(f.slots, shared);
      var into =
          switch (made) {
            case LIST, GENERATOR -> ListValue.sized(f.m, 0);
            case SET -> new SetValue(f.m);
            case MAP -> new DictValue(f.m);
          };
      int held = f.m.heldCount();
      f.m.hold(into);
      loop(f, 0, into);
      f.m.releaseTo(held);
      return into;
    }

    private void loop(Frame f, int level, Value into) {
      var clause = clauses[level];
      var source = clause.source.eval(f);
      if (source instanceof RangeValue range) {
        for (long i = 0; i < range.size(); i++) one(f, level, into, Int.of(range.get(i)));
        return;
      }
      f.m.hold(source);
      if (source instanceof ListValue list) {
        for (int i = 0; i < list.size(); i++) one(f, level, into, list.get(i));
      } else {
        var from = Iterate.over(f.m, source);
        for (var next = from.next(f.m); next != null; next = from.next(f.m)) {
          one(f, level, into, next);
        }
      }
      f.m.release();
    }

    private void one(Frame f, int level, Value into, Value item) {
      var clause = clauses[level];
      f.m.tick(clause.cost);
      clause.target.store(f, item);
      if (!clause.passes(f)) return;
      if (level + 1 < clauses.length) {
        loop(f, level + 1, into);
        return;
      }
      switch (into) {
        case ListValue list -> list.add(f.m, element.eval(f));
        case SetValue set -> set.table().add(f.m, element.eval(f));
        case DictValue map when value != null -> {
          var key = element.eval(f);
          map.table().put(f.m, key, value.eval(f));
        }
        case Value _ -> throw new IllegalStateException(into.typeName());
      }
    }
  }

  /// A generator expression; its first source is evaluated at once.
  static final class Generate extends Node {
    private final Node source;
    private final Clause[] clauses;
    private final Node element;
    private final GeneratorCode code;

    Generate(Node source, Clause[] clauses, Node element, GeneratorCode code) {
      this.source = source;
      this.clauses = clauses;
      this.element = element;
      this.code = code;
    }

    @Override
    Value eval(Frame f) {
      f.m.charge(160 + (long) Value.PLACE * code.slots());
      var from = Iterate.over(f.m, source.eval(f));
      var slots = new @Nullable Value[code.slots()];
      Cells.fill(slots, code.shared());
      var cells = Calls.closure(f, code.outer());
      for (int i = 0; i < cells.length; i++) slots[code.free()[i]] = cells[i];
      return new Generator(this, new Frame(slots, f.machine), from);
    }
  }

  /// The frame of a generator: its size, and where it finds what is around it.
  interface GeneratorCode {
    int slots();

    Variable[] shared();

    int[] outer();

    int[] free();
  }

  private static final class Generator extends Iter {
    private final Generate code;
    private final Frame frame;
    private final @Nullable Iter[] open;
    private int level;
    private boolean isRunning;

    Generator(Generate code, Frame frame, Iter first) {
      this.code = code;
      this.frame = frame;
      this.open = new @Nullable Iter[code.clauses.length];
      this.open[0] = first;
    }

    @Override
    public @Nullable Value next(Meter m) {
      if (level < 0) return null;
      if (isRunning) {
        throw dev.superstep.repl.internal.value.Raise.value("generator already executing");
      }
      isRunning = true;
      try {
        return step(m);
      } catch (dev.superstep.repl.internal.value.Raise e) {
        level = -1;
        throw e;
      } finally {
        isRunning = false;
      }
    }

    private @Nullable Value step(Meter m) {
      var machine = frame.machine;
      var caller = machine.current;
      frame.caller = caller;
      frame.started = m.total();
      frame.mark = m.total();
      machine.current = frame;
      m.enter(frame.slots.length);
      frame.depth = m.depth();
      var found = search(m);
      m.leave(frame.slots.length);
      machine.current = caller;
      return found;
    }

    private @Nullable Value search(Meter m) {
      while (level >= 0) {
        var clause = code.clauses[level];
        m.tick(clause.cost());
        var from = open[level];
        if (from == null) {
          from = Iterate.over(m, clause.source().eval(frame));
          open[level] = from;
        }
        var next = from.next(m);
        if (next == null) {
          open[level--] = null;
          continue;
        }
        clause.target().store(frame, next);
        if (!clause.passes(frame)) continue;
        if (level == code.clauses.length - 1) return code.element.eval(frame);
        level++;
      }
      return null;
    }

    @Override
    public Object[] keeps() {
      return new Object[] {frame.slots, open, None.NONE};
    }

    @Override
    public boolean callsBack() {
      return true;
    }

    @Override
    public String typeName() {
      return "generator";
    }
  }
}
