package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.builtin.Attributes;
import dev.superstep.repl.internal.builtin.Method;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Callable.Named;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Calls of functions and methods.
final class Calls {
  private Calls() {}

  static Callable callable(Value value) {
    if (value instanceof Callable callable) return callable;
    throw Raise.type("'" + value.typeName() + "' object is not callable");
  }

  /// A call with nothing but arguments in order.
  static final class Plain extends Node {
    private final Node function;
    private final Node[] args;

    Plain(Node function, Node[] args) {
      this.function = function;
      this.args = args;
    }

    @Override
    Value eval(Frame f) {
      var called = function.eval(f);
      if (called instanceof FunctionValue own && own.takes(args.length)) {
        var slots = new @Nullable Value[own.code.slots()];
        for (int i = 0; i < args.length; i++) slots[i] = args[i].eval(f);
        return own.run(slots);
      }
      var values = new Value[args.length];
      for (int i = 0; i < args.length; i++) values[i] = args[i].eval(f);
      return callable(called).call(f.m, values, Named.NONE);
    }
  }

  /// Arguments with names or stars among them.
  static final class Mixed {
    private final Node[] args;
    private final boolean[] isStar;
    private final String[] names;
    private final Node[] named;

    /// @param names empty for `**`
    Mixed(Node[] args, boolean[] isStar, String[] names, Node[] named) {
      this.args = args;
      this.isStar = isStar;
      this.names = names;
      this.named = named;
    }

    Value[] positional(Frame f) {
      boolean hasStar = false;
      for (boolean star : isStar) hasStar |= star;
      if (!hasStar) {
        var values = new Value[args.length];
        for (int i = 0; i < args.length; i++) values[i] = args[i].eval(f);
        return values;
      }
      var all = ListValue.sized(f.m, args.length);
      f.m.hold(all);
      for (int i = 0; i < args.length; i++) {
        var value = args[i].eval(f);
        if (!isStar[i]) all.add(f.m, value);
        else for (var item : Iterate.all(f.m, value)) all.add(f.m, item);
      }
      f.m.release();
      return all.copy(f.m);
    }

    Named named(Frame f) {
      var words = new ArrayList<String>(names.length);
      var values = new ArrayList<Value>(names.length);
      for (int i = 0; i < names.length; i++) {
        var value = named[i].eval(f);
        if (names[i].isEmpty()) spread(f, value, words, values);
        else {
          words.add(names[i]);
          values.add(value);
        }
      }
      return new Named(words.toArray(String[]::new), values.toArray(Value[]::new));
    }

    private static void spread(Frame f, Value value, List<String> words, List<Value> values) {
      if (!(value instanceof DictValue map)) {
        throw Raise.type("argument after ** must be a mapping, not " + value.typeName());
      }
      var table = map.table();
      f.m.charge(64L * table.size());
      f.m.tick(table.size());
      for (int i = 0; i < table.end(); i++) {
        var key = table.key(i);
        if (key == null) continue;
        if (!(key instanceof Str name)) throw Raise.type("keywords must be strings");
        var word = name.text(f.m);
        if (words.contains(word)) {
          throw Raise.type("got multiple values for keyword argument '" + word + "'");
        }
        words.add(word);
        values.add(table.value(i));
      }
    }
  }

  static final class General extends Node {
    private final Node function;
    private final Mixed args;

    General(Node function, Mixed args) {
      this.function = function;
      this.args = args;
    }

    @Override
    Value eval(Frame f) {
      var called = function.eval(f);
      var values = args.positional(f);
      f.m.hold(values);
      var named = args.named(f);
      f.m.release();
      return callable(called).call(f.m, values, named);
    }
  }

  /// `value.name(...)`: finds the method without making a value of it.
  static final class OfMethod extends Node {
    private final Node value;
    private final String name;
    private final Node @Nullable [] args;
    private final @Nullable Mixed mixed;
    private @Nullable Class<?> lastType;
    private @Nullable Method lastMethod;
    private final boolean isAppend;

    OfMethod(Node value, String name, Node @Nullable [] args, @Nullable Mixed mixed) {
      this.value = value;
      this.name = name;
      this.args = args;
      this.mixed = mixed;
      this.isAppend = name.equals("append") && args != null && args.length == 1;
    }

    @Override
    Value eval(Frame f) {
      var self = value.eval(f);
      if (isAppend && self instanceof ListValue list && args != null) {
        list.add(f.m, args[0].eval(f));
        return None.NONE;
      }
      var method = method(self);
      if (method == null) return field(f, self);
      if (args != null) return method.call(f.m, self, values(f, args), Named.NONE);
      return mixed(f, self, method, mixed);
    }

    private static Value[] values(Frame f, Node[] args) {
      var values = new Value[args.length];
      for (int i = 0; i < args.length; i++) values[i] = args[i].eval(f);
      return values;
    }

    private static Value mixed(Frame f, Value self, Method method, @Nullable Mixed mixed) {
      if (mixed == null) throw new IllegalStateException("a call has arguments");
      var values = mixed.positional(f);
      f.m.hold(values);
      var named = mixed.named(f);
      f.m.release();
      return method.call(f.m, self, values, named);
    }

    private @Nullable Method method(Value self) {
      if (lastType == self.getClass()) return lastMethod;
      var found = Attributes.method(self, name);
      if (found != null) {
        lastType = self.getClass();
        lastMethod = found;
      }
      return found;
    }

    private Value field(Frame f, Value self) {
      var field = Attributes.field(f.m, self, name);
      if (field == null) throw Attributes.missing(self, name);
      var called = callable(field);
      if (args != null) return called.call(f.m, values(f, args), Named.NONE);
      if (mixed == null) throw new IllegalStateException("a call has arguments");
      var values = mixed.positional(f);
      f.m.hold(values);
      var named = mixed.named(f);
      f.m.release();
      return called.call(f.m, values, named);
    }
  }

  static final class Attribute extends Node {
    private final Node value;
    private final String name;

    Attribute(Node value, String name) {
      this.value = value;
      this.name = name;
    }

    @Override
    Value eval(Frame f) {
      return Attributes.get(f.m, value.eval(f), name);
    }
  }

  /// `def` and lambda: makes a function.
  static final class Make extends Node {
    private final FunctionCode code;
    private final int[] outer;
    private final @Nullable Node[] presets;

    /// @param outer the places here of the cells that it closes over
    Make(FunctionCode code, int[] outer, @Nullable Node[] presets) {
      this.code = code;
      this.outer = outer;
      this.presets = presets;
    }

    @Override
    Value eval(Frame f) {
      f.m.charge(96 + 16L * (outer.length + presets.length));
      var values = new @Nullable Value[presets.length];
      for (int i = 0; i < presets.length; i++) {
        var preset = presets[i];
        if (preset != null) values[i] = preset.eval(f);
      }
      return new FunctionValue(code, f.machine, closure(f, outer), values);
    }
  }

  static Value[] closure(Frame f, int[] outer) {
    var cells = new Value[outer.length];
    for (int i = 0; i < outer.length; i++) cells[i] = Variables.cell(f, outer[i]);
    return cells;
  }

  static @Nullable Value[] copy(@Nullable Value[] values) {
    return Arrays.copyOf(values, values.length);
  }
}
