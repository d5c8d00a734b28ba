package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.value.Callable.Named;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts the arguments of a call in the order of the parameters.
public final class Arguments {
  private Arguments() {}

  /// The arguments by parameters; `null` for one that was left out.
  public static @Nullable Value[] bind(Meter m, Signature to, Value[] args, Named named) {
    var parameters = to.parameters();
    var bound = new @Nullable Value[parameters.size()];
    var names = names(named);
    var misfit = to.misfit(args.length, names, false);
    if (!misfit.isEmpty()) throw Raise.type(misfit);
    int next = 0;
    int taken = 0;
    var used = new boolean[named.size()];
    for (int i = 0; i < bound.length; i++) {
      var parameter = parameters.get(i);
      if (parameter.isPositional() && next < args.length) bound[i] = args[next++];
      else if (parameter.kind() == Signature.Kind.REST) {
        bound[i] = TupleValue.of(m, Arrays.copyOfRange(args, Math.min(next, args.length), args.length));
        next = args.length;
      } else if (parameter.isNamed() && names.contains(parameter.name())) {
        int at = names.indexOf(parameter.name());
        bound[i] = named.value(at);
        used[at] = true;
        taken++;
      } else if (parameter.kind() == Signature.Kind.NAMED_REST) {
        bound[i] = rest(m, named, used, taken);
      }
    }
    return bound;
  }

  private static DictValue rest(Meter m, Named named, boolean[] used, int taken) {
    var rest = new DictValue(m);
    for (int i = 0; taken < named.size() && i < used.length; i++) {
      if (!used[i]) rest.table().put(m, new Str(named.name(i)), named.value(i));
    }
    return rest;
  }

  private static List<String> names(Named named) {
    var names = new String[named.size()];
    for (int i = 0; i < names.length; i++) names[i] = named.name(i);
    return Arrays.asList(names);
  }
}
