package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Value;
import java.util.Map;
import java.util.function.Predicate;

/// The name of a type: makes values of it, and says which values are of it.
final class TypeValue extends Callable {
  private final String name;
  private final Predicate<Value> test;
  private final Builtin maker;
  private final Map<String, Value> members;
  private final Map<String, Method> methods;

  /// @param members what stands behind its dot and is no method, such as `dict.fromkeys`
  TypeValue(Builtin maker, Predicate<Value> test, Map<String, Value> members, Value sample) {
    this.name = maker.label();
    this.test = test;
    this.maker = maker;
    this.members = members;
    this.methods = Methods.of(sample);
  }

  /// A type that scripts have no way to make values of.
  static TypeValue closed(String name, Predicate<Value> test, Value sample) {
    var maker =
        new Builtin(
            name + "(*args, **kwargs)",
            (m, a) -> {
              throw Raise.type("cannot create '" + name + "' instances");
            });
    return new TypeValue(maker, test, Map.of(), sample);
  }

  boolean matches(Value value) {
    return test.test(value);
  }

  Signature signature() {
    return maker.signature();
  }

  Value member(String wanted) {
    var member = members.get(wanted);
    if (member != null) return member;
    var method = methods.get(wanted);
    if (method == null)
      throw Raise.attribute("type object '" + name + "' has no attribute '" + wanted + "'");
    return new Builtin(
        wanted + "(self, /, *args, **kwargs)",
        (m, a) -> {
          var self = Args.need(a[0]);
          if (!test.test(self)) {
            throw Raise.type(
                "descriptor '"
                    + wanted
                    + "' for '"
                    + name
                    + "' objects doesn't apply to a '"
                    + self.typeName()
                    + "' object");
          }
          var args = ((dev.superstep.repl.internal.value.TupleValue) Args.need(a[1])).items();
          return method.call(m, self, args, Named.NONE);
        });
  }

  @Override
  public Value call(Meter m, Value[] args, Named named) {
    return maker.call(m, args, named);
  }

  @Override
  public String label() {
    return name;
  }

  @Override
  public String typeName() {
    return "type";
  }
}
