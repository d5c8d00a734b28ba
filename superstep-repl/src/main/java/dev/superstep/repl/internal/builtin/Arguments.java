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
    var used = new boolean[named.size()];
    int next = 0;
    int taken = 0;
    int rest = -1;
    for (int i = 0; i < bound.length; i++) {
      var parameter = parameters.get(i);
      if (parameter.kind() == Signature.Kind.REST) {
        bound[i] =
            TupleValue.of(m, Arrays.copyOfRange(args, Math.min(next, args.length), args.length));
        next = args.length;
      } else if (parameter.kind() == Signature.Kind.NAMED_REST) rest = i;
      else if (parameter.isPositional() && next < args.length) bound[i] = args[next++];
      else {
        int at = parameter.isNamed() ? find(named, parameter.name()) : -1;
        if (at >= 0) {
          bound[i] = named.value(at);
          used[at] = true;
          taken++;
        } else if (!parameter.isOptional()) throw misfit(to, args, named);
      }
    }
    if (next < args.length || (rest < 0 && taken < named.size())) throw misfit(to, args, named);
    if (rest >= 0) {
      bound[rest] = rest(m, named, used, taken);
      if (taken < named.size() && !to.misfit(args.length, names(named), false).isEmpty()) {
        throw misfit(to, args, named);
      }
    }
    return bound;
  }

  private static int find(Named named, String name) {
    for (int i = 0; i < named.size(); i++) if (named.name(i).equals(name)) return i;
    return -1;
  }

  private static Raise misfit(Signature to, Value[] args, Named named) {
    return Raise.type(to.misfit(args.length, names(named), false));
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
