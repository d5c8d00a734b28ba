package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Real;
import java.util.List;

/// The methods of numbers.
final class NumberMethods {
  private NumberMethods() {}

  static List<Method> ofInts() {
    return List.of(
        new Method("bit_length()", (m, self, a) -> Int.of(Numbers.big(self).abs().bitLength())),
        new Method("bit_count()", (m, self, a) -> Int.of(Numbers.big(self).abs().bitCount())),
        new Method("conjugate()", (m, self, a) -> self));
  }

  static List<Method> ofReals() {
    return List.of(
        new Method(
            "is_integer()",
            (m, self, a) -> {
              double value = ((Real) self).value();
              return Bool.of(value == Math.rint(value) && !Double.isInfinite(value));
            }),
        new Method("conjugate()", (m, self, a) -> self));
  }
}
