package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Operands;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// Statements without a block.
final class Steps {
  private Steps() {}

  static final class Run extends Step {
    private final Node value;

    Run(Raise.Place place, int cost, Node value) {
      super(place, cost);
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      value.eval(f);
      return NEXT;
    }
  }

  /// The last expression of a cell, whose value is shown.
  static final class Show extends Step {
    private final Node value;

    Show(Raise.Place place, int cost, Node value) {
      super(place, cost);
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      f.result = value.eval(f);
      return NEXT;
    }
  }

  static final class Assign extends Step {
    private final Store target;
    private final Node value;

    Assign(Raise.Place place, int cost, Store target, Node value) {
      super(place, cost);
      this.target = target;
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      target.store(f, value.eval(f));
      return NEXT;
    }
  }

  static final class AssignLocal extends Step {
    private final int slot;
    private final Node value;

    AssignLocal(Raise.Place place, int cost, int slot, Node value) {
      super(place, cost);
      this.slot = slot;
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      f.slots[slot] = value.eval(f);
      return NEXT;
    }
  }

  static final class AssignAll extends Step {
    private final Store[] targets;
    private final Node value;

    AssignAll(Raise.Place place, int cost, Store[] targets, Node value) {
      super(place, cost);
      this.targets = targets;
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      var found = value.eval(f);
      for (var target : targets) target.store(f, found);
      return NEXT;
    }
  }

  /// `in[key] op= value`; the places hold what is changed while the value is found.
  static final class ChangeItem extends Step {
    private final Node in;
    private final Node key;
    private final int inPlace;
    private final int keyPlace;
    private final Node changed;

    ChangeItem(Raise.Place place, int cost, Operands<Node> item, Node changed) {
      super(place, cost);
      this.in = item.first();
      this.key = item.second();
      this.inPlace = item.firstPlace();
      this.keyPlace = item.secondPlace();
      this.changed = changed;
    }

    @Override
    int exec(Frame f) {
      var owner = in.eval(f);
      var at = key.eval(f);
      f.slots[inPlace] = owner;
      // A slice is no value of the script, but may stand in a place.
      f.slots[keyPlace] = at;
      var result = changed.eval(f);
      dev.superstep.repl.internal.value.Items.set(f.m, owner, at, result);
      f.slots[inPlace] = null;
      f.slots[keyPlace] = null;
      return NEXT;
    }
  }

  static final class Return extends Step {
    private final Node value;

    Return(Raise.Place place, int cost, Node value) {
      super(place, cost);
      this.value = value;
    }

    @Override
    int exec(Frame f) {
      f.result = value.eval(f);
      return RETURN;
    }
  }

  static final class Leave extends Step {
    private final int how;

    Leave(Raise.Place place, int how) {
      super(place, 1);
      this.how = how;
    }

    @Override
    int exec(Frame f) {
      return how;
    }
  }

  static final class Assert extends Step {
    private final Node test;
    private final @Nullable Node message;

    Assert(Raise.Place place, int cost, Node test, @Nullable Node message) {
      super(place, cost);
      this.test = test;
      this.message = message;
    }

    @Override
    int exec(Frame f) {
      if (test.test(f)) return NEXT;
      if (message == null) throw new Raise(new ErrorValue(ErrorType.ASSERTION));
      throw new Raise(new ErrorValue(ErrorType.ASSERTION, message.eval(f)));
    }
  }

  static final class Delete extends Step {
    private final Store[] targets;

    Delete(Raise.Place place, int cost, Store[] targets) {
      super(place, cost);
      this.targets = targets;
    }

    @Override
    int exec(Frame f) {
      for (var target : targets) target.delete(f);
      return NEXT;
    }
  }

  static final class Throw extends Step {
    private final @Nullable Node error;
    private final int caught;

    /// @param caught the place of the error that is handled around it, or -1
    Throw(Raise.Place place, int cost, @Nullable Node error, int caught) {
      super(place, cost);
      this.error = error;
      this.caught = caught;
    }

    @Override
    int exec(Frame f) {
      if (error != null) throw new Raise(error(f, error.eval(f)));
      if (caught >= 0 && f.slots[caught] instanceof ErrorValue again) throw new Raise(again);
      throw Raise.of(ErrorType.RUNTIME, "No active exception to reraise");
    }

    private static ErrorValue error(Frame f, Value value) {
      if (value instanceof ErrorValue made) return made;
      if (value instanceof ErrorType type) return (ErrorValue) type.call(f.m);
      throw Raise.type("exceptions must derive from BaseException");
    }
  }

  /// The message of an exception as a cell's result shows it.
  static Str message(Frame f, ErrorValue error) {
    return Str.of(f.m, Repr.message(f.m, error));
  }

  static Node orNone(@Nullable Node node) {
    return node == null ? new Variables.Constant(None.NONE) : node;
  }
}
