package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.value.Callable.Named;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A method of a type.
public final class Method {
  private final Signature signature;
  private final Body body;
  private final int places;
  private final int least;

  /// The work of a method; arguments that were left out are `null`.
  @FunctionalInterface
  public interface Body {
    Value call(Meter m, Value self, @Nullable Value[] args);
  }

  Method(String signature, Body body) {
    this.signature = Signature.parse(signature);
    this.body = body;
    boolean isPlain =
        this.signature.parameters().stream().allMatch(Signature.Parameter::isPositional);
    this.places = isPlain ? this.signature.parameters().size() : -1;
    this.least = (int) this.signature.parameters().stream().filter(p -> !p.isOptional()).count();
  }

  public String name() {
    return signature.name();
  }

  Signature signature() {
    return signature;
  }

  public Value call(Meter m, Value self, Value[] args, Named named) {
    m.tick(1);
    @Nullable Value[] bound =
        !named.isEmpty() || args.length > places || args.length < least
            ? Arguments.bind(m, signature, args, named)
            : args.length == places ? args : Arrays.copyOf(args, places);
    int held = m.heldCount();
    m.hold(self);
    m.hold(bound);
    var result = body.call(m, self, bound);
    m.releaseTo(held);
    return result;
  }
}
