package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Statements with blocks.
final class Loops {
  private Loops() {}

  static final class If extends Step {
    private final Node[] tests;
    private final Block[] bodies;
    private final Block otherwise;

    If(Raise.Place place, int cost, Node[] tests, Block[] bodies, Block otherwise) {
      super(place, cost);
      this.tests = tests;
      this.bodies = bodies;
      this.otherwise = otherwise;
    }

    @Override
    int exec(Frame f) {
      for (int i = 0; i < tests.length; i++) {
        if (tests[i].test(f)) return bodies[i].exec(f);
      }
      return otherwise.isEmpty() ? NEXT : otherwise.exec(f);
    }
  }

  static final class While extends Step {
    private final Node test;
    private final Block body;
    private final Block otherwise;

    While(Raise.Place place, int cost, Node test, Block body, Block otherwise) {
      super(place, cost);
      this.test = test;
      this.body = body;
      this.otherwise = otherwise;
    }

    @Override
    int exec(Frame f) {
      var m = f.m;
      while (true) {
        m.tick(cost);
        f.mark = m.total();
        if (!test.test(f)) break;
        int how = body.exec(f);
        if (how == BREAK) return NEXT;
        if (how == RETURN) return RETURN;
      }
      return otherwise.isEmpty() ? NEXT : otherwise.exec(f);
    }
  }

  static final class For extends Step {
    private final Node source;
    private final Store target;
    private final int keep;
    private final Block body;
    private final Block otherwise;
    private final int slot;

    /// @param keep the place of what it goes through
    For(
        Raise.Place at,
        int cost,
        Node source,
        Store target,
        int keep,
        Block body,
        Block otherwise) {
      super(at, cost);
      this.source = source;
      this.target = target;
      this.keep = keep;
      this.body = body;
      this.otherwise = otherwise;
      this.slot = target instanceof Store.Local local ? local.slot : -1;
    }

    @Override
    int exec(Frame f) {
      var from = source.eval(f);
      f.slots[keep] = from;
      int how =
          switch (from) {
            case RangeValue range -> range(f, range);
            case ListValue list -> list(f, list);
            case TupleValue tuple -> tuple(f, tuple);
            case Value other -> any(f, other);
          };
      f.slots[keep] = null;
      if (how == BREAK) return NEXT;
      if (how == RETURN) return RETURN;
      return otherwise.isEmpty() ? NEXT : otherwise.exec(f);
    }

    private int one(Frame f, Value item) {
      f.m.tick(1);
      if (slot >= 0) f.slots[slot] = item;
      else target.store(f, item);
      return body.exec(f);
    }

    private int range(Frame f, RangeValue range) {
      long value = range.start();
      for (long i = range.size(); i > 0; i--) {
        int how = one(f, Int.of(value));
        if (how == BREAK || how == RETURN) return how;
        value += range.step();
      }
      return NEXT;
    }

    private int list(Frame f, ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        int how = one(f, list.get(i));
        if (how == BREAK || how == RETURN) return how;
      }
      return NEXT;
    }

    private int tuple(Frame f, TupleValue tuple) {
      for (var item : tuple.items()) {
        int how = one(f, item);
        if (how == BREAK || how == RETURN) return how;
      }
      return NEXT;
    }

    private int any(Frame f, Value source) {
      var from = Iterate.over(f.m, source);
      f.slots[keep] = from;
      for (var next = from.next(f.m); next != null; next = from.next(f.m)) {
        int how = one(f, next);
        if (how == BREAK || how == RETURN) return how;
      }
      return NEXT;
    }
  }

  /// `except type as name`.
  ///
  /// @param caught the place of the error while it is handled
  record Handler(@Nullable Node type, @Nullable Store target, Block body, int caught) {}

  /// `try`. What ends the cell passes by without a look at it.
  static final class Try extends Step {
    private final Block body;
    private final Handler[] handlers;
    private final Block otherwise;
    private final Block last;

    Try(Raise.Place place, Block body, Handler[] handlers, Block otherwise, Block last) {
      super(place, 1);
      this.body = body;
      this.handlers = handlers;
      this.otherwise = otherwise;
      this.last = last;
    }

    @Override
    int exec(Frame f) {
      if (last.isEmpty()) return attempt(f);
      long slots = f.m.slots();
      int held = f.m.heldCount();
      int how;
      Value result;
      try {
        how = attempt(f);
        result = f.result;
      } catch (Raise e) {
        f.machine.back(f, slots, held);
        int instead = last.exec(f);
        if (instead != NEXT) return instead;
        throw e;
      }
      int instead = last.exec(f);
      if (instead != NEXT) return instead;
      f.result = result;
      return how;
    }

    private int attempt(Frame f) {
      long slots = f.m.slots();
      int held = f.m.heldCount();
      int how;
      try {
        how = body.exec(f);
      } catch (Raise e) {
        f.machine.back(f, slots, held);
        f.m.tick(4);
        var handler = handler(f, e.error());
        if (handler == null) throw e;
        return handle(f, handler, e.error());
      }
      return how == NEXT && !otherwise.isEmpty() ? otherwise.exec(f) : how;
    }

    private @Nullable Handler handler(Frame f, ErrorValue error) {
      for (var handler : handlers) {
        var type = handler.type;
        if (type == null || matches(type.eval(f), error)) return handler;
      }
      return null;
    }

    private static boolean matches(Value type, ErrorValue error) {
      if (type instanceof ErrorType one) return error.type().isA(one);
      if (type instanceof TupleValue several) {
        for (var one : several.items()) if (matches(one, error)) return true;
        return false;
      }
      throw Raise.type("catching classes that do not inherit from BaseException is not allowed");
    }

    private static int handle(Frame f, Handler handler, ErrorValue error) {
      var target = handler.target;
      f.slots[handler.caught] = error;
      if (target != null) target.store(f, error);
      try {
        return handler.body.exec(f);
      } finally {
        f.slots[handler.caught] = null;
        if (target != null) clear(f, target);
      }
    }

    // The name of an error is unbound behind its handler.
    private static void clear(Frame f, Store target) {
      try {
        target.delete(f);
      } catch (Raise _) {
        // The handler deleted it itself.
      }
    }
  }
}
