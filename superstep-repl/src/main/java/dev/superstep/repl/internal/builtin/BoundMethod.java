package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Footprint;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Value;

/// A method together with the value that it belongs to, as in `add = items.append`.
final class BoundMethod extends Callable implements Footprint.Holder {
  private final Value self;
  private final Method method;

  BoundMethod(Value self, Method method) {
    this.self = self;
    this.method = method;
  }

  @Override
  public Value call(Meter m, Value[] args, Named named) {
    return method.call(m, self, args, named);
  }

  @Override
  public String label() {
    return self.typeName() + "." + method.name();
  }

  @Override
  public String typeName() {
    return "builtin_function_or_method";
  }

  @Override
  public Object[] keeps() {
    return new Object[] {self};
  }
}
