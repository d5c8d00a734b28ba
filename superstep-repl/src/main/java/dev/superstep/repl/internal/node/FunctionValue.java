package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Footprint;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function of the script.
final class FunctionValue extends Callable implements Footprint.Holder {
  final FunctionCode code;
  private final Machine machine;
  private final Value[] closure;
  private final @Nullable Value[] presets;

  /// @param closure cells of variables of functions around
  /// @param presets defaults by parameter; `null` for those without
  FunctionValue(FunctionCode code, Machine machine, Value[] closure, @Nullable Value[] presets) {
    this.code = code;
    this.machine = machine;
    this.closure = closure;
    this.presets = presets;
  }

  /// Returns whether so many arguments in order are just what it takes.
  boolean takes(int count) {
    return code.isPlain() && code.positional == count;
  }

  /// Runs it with parameters that stand in their places.
  Value run(@Nullable Value[] slots) {
    var frame = new Frame(slots, machine);
    if (code.shared().length > 0) Cells.fill(slots, code.shared());
    int[] free = code.freeSlots;
    for (int i = 0; i < free.length; i++) slots[free[i]] = closure[i];
    machine.enter(frame, code.body(), slots.length);
    return frame.result;
  }

  @Override
  public Value call(Meter m, Value[] args, Named named) {
    var slots = new @Nullable Value[code.slots()];
    if (named.isEmpty() && takes(args.length)) {
      System.arraycopy(args, 0, slots, 0, args.length);
    } else bind(m, slots, args, named);
    return run(slots);
  }

  private void bind(Meter m, @Nullable Value[] slots, Value[] args, Named named) {
    int taken = Math.min(args.length, code.positional);
    System.arraycopy(args, 0, slots, 0, taken);
    if (code.rest >= 0)
      slots[code.rest] = TupleValue.of(m, Arrays.copyOfRange(args, taken, args.length));
    else if (args.length > code.positional) throw tooMany(args.length);
    DictValue others = null;
    if (code.namedRest >= 0) {
      others = new DictValue(m);
      slots[code.namedRest] = others;
    }
    for (int i = 0; i < named.size(); i++) {
      int at = find(named.name(i));
      if (at >= 0) {
        if (slots[at] != null) {
          throw Raise.type(
              code.name + "() got multiple values for argument '" + named.name(i) + "'");
        }
        slots[at] = named.value(i);
      } else if (others != null) others.table().put(m, new Str(named.name(i)), named.value(i));
      else throw unexpected(named.name(i));
    }
    for (int i = 0; i < code.parameters.length; i++) if (slots[i] == null) slots[i] = presets[i];
    missing(slots);
  }

  private int find(String name) {
    for (int i = code.positionalOnly; i < code.parameters.length; i++) {
      if (code.parameters[i].equals(name)) return i;
    }
    return -1;
  }

  private Raise unexpected(String name) {
    for (int i = 0; i < code.positionalOnly; i++) {
      if (code.parameters[i].equals(name)) {
        return Raise.type(
            code.name
                + "() got some positional-only arguments passed as keyword arguments: '"
                + name
                + "'");
      }
    }
    return Raise.type(code.name + "() got an unexpected keyword argument '" + name + "'");
  }

  private Raise tooMany(int given) {
    int least = 0;
    for (int i = 0; i < code.positional; i++) if (presets[i] == null) least++;
    var takes = least == code.positional ? "" + least : "from " + least + " to " + code.positional;
    return Raise.type(
        code.name
            + "() takes "
            + takes
            + (takes.equals("1") ? " positional argument but " : " positional arguments but ")
            + given
            + (given == 1 ? " was given" : " were given"));
  }

  private void missing(@Nullable Value[] slots) {
    var positional = new ArrayList<String>();
    var named = new ArrayList<String>();
    for (int i = 0; i < code.parameters.length; i++) {
      if (slots[i] == null)
        (i < code.positional ? positional : named).add("'" + code.parameters[i] + "'");
    }
    if (!positional.isEmpty()) throw missing(positional, "positional");
    if (!named.isEmpty()) throw missing(named, "keyword-only");
  }

  private Raise missing(List<String> names, String kind) {
    int count = names.size();
    var last = names.removeLast();
    var list =
        count == 1 ? last : String.join(", ", names) + (count == 2 ? " and " : ", and ") + last;
    return Raise.type(
        code.name
            + "() missing "
            + count
            + " required "
            + kind
            + (count == 1 ? " argument: " : " arguments: ")
            + list);
  }

  @Override
  public String label() {
    return code.name;
  }

  @Override
  public Object[] keeps() {
    return new Object[] {closure, presets, None.NONE};
  }
}
