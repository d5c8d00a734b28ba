package dev.superstep.repl.python;

import dev.superstep.json.Json;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// All that the interpreters of a session may call, by name, and what they were given. One thread.
final class HostTable {
  /// The name of the call that reads a piece of a text.
  static final String READ = "$read";

  private final WireValues values = new WireValues();
  private final Map<String, HostFunction> functions = new LinkedHashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Set<String> codes = new HashSet<>();

  HostTable(Capabilities host) {
    for (var function : host.functions()) add(function);
    add(HostFunction.of("budget()", _ -> left(host.budget().get())));
    host.seed()
        .ifPresent(seed -> {
          var numbers = new SplittableRandom(seed);
          add(HostFunction.of("rand()", _ -> HostValue.of(numbers.nextDouble())));
        });
    host.variables().forEach((name, value) -> names.put(name, values.write(value)));
  }

  private void add(HostFunction function) {
    var name = function.signature().name();
    functions.put(name, function);
    names.put(name, "{\"$\":{\"function\":%s}}".formatted(Json.string(name).text()));
  }

  private static HostValue left(Map<String, Long> budget) {
    var all = new LinkedHashMap<String, HostValue>();
    budget.forEach((name, rest) -> all.put(name, HostValue.of(rest)));
    return new HostValue.Entries(all);
  }

  /// The names of a session with their values as JSON.
  Map<String, String> names() {
    return names;
  }

  WireValues values() {
    return values;
  }

  /// Returns whether the host gave a call of this session an error with this code.
  boolean gave(String code) {
    return codes.contains(code);
  }

  /// Answers a call.
  ///
  /// @return the field `value` or `error`, as JSON
  /// @throws CellEnded if it ends the cell
  /// @throws ProtocolBroken if there is no such function
  String answer(ChildMessage.Call call) throws InterruptedException {
    if (call.name().equals(READ)) return read(call);
    var function = functions.get(call.name());
    if (function == null) throw new ProtocolBroken("it called a function that it does not have");
    var signature = function.signature();
    var misfit = signature.misfit(call.positional().size(), call.named().keySet(), false);
    if (!misfit.isEmpty()) return error("TypeError", "arguments", misfit);
    var positional = new ArrayList<HostValue>();
    for (var value : call.positional()) positional.add(values.read(value));
    var named = new LinkedHashMap<String, HostValue>();
    call.named().forEach((name, value) -> named.put(name, values.read(value)));
    try {
      var value = function.call(CallBinding.of(signature, positional, named));
      return "\"value\":" + values.write(value);
    } catch (HostFailure e) {
      if (e.ends()) throw new CellEnded(e.code(), e.reason());
      codes.add(e.code());
      return error("HostError", e.code(), e.reason());
    } catch (CellEnded | ProtocolBroken e) {
      throw e;
    } catch (RuntimeException _) {
      codes.add("internal-error");
      return error("HostError", "internal-error", call.name() + "() failed in the host");
    }
  }

  private String read(ChildMessage.Call call) {
    List<HostValue> place = call.positional();
    try {
      return "\"value\":" + Json.string(values.piece(place)).text();
    } catch (ProtocolBroken e) {
      throw e;
    } catch (RuntimeException _) {
      codes.add("internal-error");
      return error("HostError", "internal-error", "the text could not be read");
    }
  }

  private static String error(String type, String code, String message) {
    return "\"error\":{\"type\":%s,\"code\":%s,\"message\":%s}"
        .formatted(Json.string(type), Json.string(code), Json.string(message));
  }
}
