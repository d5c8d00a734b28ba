package dev.superstep.repl.python;

import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.Signature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Gives the arguments of a call to the parameters of its function.
final class CallBinding {
  private CallBinding() {}

  /// The arguments by the names of parameters; the call must fit ([Signature#misfit]).
  static Map<String, HostValue> of(
      Signature signature, List<HostValue> positional, Map<String, HostValue> named) {
    var all = new LinkedHashMap<String, HostValue>();
    var byName = new LinkedHashMap<>(named);
    int next = 0;
    for (var parameter : signature.parameters()) {
      switch (parameter.kind()) {
        case POSITIONAL, EITHER -> {
          if (next < positional.size()) all.put(parameter.name(), positional.get(next++));
          else if (parameter.isNamed()) take(parameter.name(), byName, all);
        }
        case NAMED -> take(parameter.name(), byName, all);
        case REST -> {
          all.put(
              parameter.name(),
              new HostValue.Items(new ArrayList<>(positional.subList(next, positional.size()))));
          next = positional.size();
        }
        case NAMED_REST -> all.put(parameter.name(), new HostValue.Entries(byName));
      }
    }
    return all;
  }

  private static void take(String name, Map<String, HostValue> from, Map<String, HostValue> into) {
    var value = from.remove(name);
    if (value != null) into.put(name, value);
  }
}
