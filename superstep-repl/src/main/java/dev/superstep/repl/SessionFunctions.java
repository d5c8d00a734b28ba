package dev.superstep.repl;

import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.builtin.Builtin;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.Halt;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The functions that belong to a session: printing, answering, looking at its variables, and those
/// of its host. Owned by the thread of the cell.
final class SessionFunctions {
  /// Their names, which no cell may bind.
  static final Set<String> NAMES =
      Set.of("print", "answer", "FINAL", "FINAL_VAR", "show_vars", "SHOW_VARS", "budget");

  private static final int CALL_COST = 100;

  private final Map<String, Value> all = new LinkedHashMap<>();
  private final Output output;
  private final SessionVariables variables;
  private @Nullable HostValue answer;
  private HostCalls calls = HostCalls.DIRECT;
  private final Supplier<Map<String, Long>> budget;

  /// Sets the way to the host, for the next cell.
  void calls(HostCalls way) {
    calls = way;
  }

  SessionFunctions(Output output, SessionVariables variables, Capabilities host) {
    this.output = output;
    this.variables = variables;
    this.budget = host.budget();
    add("print(*values, sep=, end=, flush=)", this::print);
    add("answer(value)", (m, a) -> answer(m, need(a[0])));
    add("FINAL(value)", (m, a) -> answer(m, need(a[0])));
    add("FINAL_VAR(name)", (m, a) -> answer(m, variable(m, need(a[0]))));
    add("show_vars()", (m, a) -> vars(m));
    add("SHOW_VARS()", (m, a) -> vars(m));
    add("budget()", (m, a) -> budget(m));
    for (var function : host.functions()) {
      var made = new Builtin(function.signature(), (m, a) -> call(m, function, a));
      all.put(function.signature().name(), made);
    }
    host.seed()
        .ifPresent(seed -> {
          var numbers = new SplittableRandom(seed);
          add("rand()", (m, a) -> new Real(numbers.nextDouble()));
        });
  }

  private void add(String signature, Builtin.Body body) {
    var made = new Builtin(signature, body);
    all.put(made.label(), made);
  }

  Map<String, Value> all() {
    return all;
  }

  /// The first answer of the cell, which is forgotten then.
  @Nullable HostValue takeAnswer() {
    var given = answer;
    answer = null;
    return given;
  }

  private static Value need(@Nullable Value value) {
    if (value == null) throw new IllegalStateException("a parameter that is not optional is bound");
    return value;
  }

  private Value print(Meter m, @Nullable Value[] a) {
    var values = ((TupleValue) need(a[0])).items();
    var between = a[1] == null || a[1] instanceof None ? " " : Repr.str(m, a[1]);
    for (int i = 0; i < values.length; i++) {
      if (i > 0) output.print(m, between);
      output.print(m, Repr.str(m, values[i]));
    }
    output.print(m, a[2] == null || a[2] instanceof None ? "\n" : Repr.str(m, a[2]));
    return None.NONE;
  }

  private Value answer(Meter m, Value value) {
    var data = Crossing.out(m, value, true);
    if (answer == null) answer = data;
    return None.NONE;
  }

  private Value variable(Meter m, Value name) {
    if (!(name instanceof Str text)) throw Raise.type("FINAL_VAR() takes the name of a variable");
    var cell = variables.cells().get(text.text(m));
    var value = cell == null ? null : cell.value;
    if (value == null) {
      throw Raise.of(ErrorType.NAME, "name '" + text.text(m) + "' is not defined");
    }
    return value;
  }

  private Value vars(Meter m) {
    var list = ListValue.sized(m, 0);
    for (var variable : variables.all()) {
      m.tick(4);
      var entry = new DictValue(m);
      entry.table().put(m, new Str("name"), Str.of(m, variable.name()));
      entry.table().put(m, new Str("type"), Str.of(m, variable.type()));
      entry.table().put(m, new Str("size"), Int.of(variable.size()));
      entry.table().put(m, new Str("digest"), Str.of(m, variable.digest()));
      list.add(m, entry);
    }
    return list;
  }

  private Value budget(Meter m) {
    var left = new DictValue(m);
    left.table().put(m, new Str("operations"), Int.of(m.limits().operations() - m.used()));
    left.table().put(m, new Str("memory"), Int.of(m.limits().bytes() - m.aliveAtMost()));
    budget.get().forEach((name, rest) -> left.table().put(m, Str.of(m, name), Int.of(rest)));
    return left;
  }

  /// Calls the host. What it throws becomes an exception of the script, or ends the cell.
  private Value call(Meter m, HostFunction function, @Nullable Value[] a) {
    m.tick(CALL_COST);
    m.poll();
    var parameters = function.signature().parameters();
    var arguments = new LinkedHashMap<String, HostValue>();
    for (int i = 0; i < parameters.size(); i++) {
      var value = a[i];
      if (value != null) arguments.put(parameters.get(i).name(), Crossing.out(m, value, false));
    }
    HostValue result;
    try {
      result = calls.call(m, function, arguments);
    } catch (HostFailure e) {
      if (e.ends()) throw m.halt(Halt.byHost(e.code(), e.reason()));
      throw raise(m, e.code(), e.reason());
    } catch (InterruptedException _) {
      m.poll();
      throw m.halt(Halt.Cause.CANCELLED, "the cell was cancelled");
    } catch (Halt | Raise e) {
      throw e;
    } catch (RuntimeException e) {
      throw raise(m, "internal-error", function.signature().name() + "() failed in the host");
    }
    m.poll();
    return Crossing.in(m, result);
  }

  private static Raise raise(Meter m, String code, String reason) {
    var message = Str.of(m, TextValue.wellFormed(reason));
    return new Raise(new ErrorValue(ErrorType.HOST, code, message));
  }
}
