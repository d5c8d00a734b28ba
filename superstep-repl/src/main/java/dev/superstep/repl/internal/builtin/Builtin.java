package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A function of the language.
public final class Builtin extends Callable {
  private final Signature signature;
  private final Body body;
  private final int places;
  private final int least;

  /// The work of a function; arguments that were left out are `null`.
  @FunctionalInterface
  public interface Body {
    Value call(Meter m, @Nullable Value[] args);
  }

  public Builtin(String signature, Body body) {
    this(Signature.parse(signature), body);
  }

  public Builtin(Signature signature, Body body) {
    this.signature = signature;
    this.body = body;
    boolean isPlain = signature.parameters().stream().allMatch(Signature.Parameter::isPositional);
    this.places = isPlain ? signature.parameters().size() : -1;
    this.least = (int) this.signature.parameters().stream().filter(p -> !p.isOptional()).count();
  }

  public Signature signature() {
    return signature;
  }

  @Override
  public Value call(Meter m, Value[] args, Named named) {
    m.tick(1);
    @Nullable Value[] bound =
        !named.isEmpty() || args.length > places || args.length < least
            ? Arguments.bind(m, signature, args, named)
            : args.length == places ? args : Arrays.copyOf(args, places);
    if (!callsBack(args, named)) return body.call(m, bound);
    m.hold(bound);
    var result = body.call(m, bound);
    m.release();
    return result;
  }

  // What may run code of the script while it works is kept in sight of the measure.
  private static boolean callsBack(Value[] args, Named named) {
    for (var arg : args) if (arg instanceof Iter || arg instanceof Callable) return true;
    return !named.isEmpty();
  }

  @Override
  public String label() {
    return signature.name();
  }

  @Override
  public String typeName() {
    return "builtin_function_or_method";
  }
}
