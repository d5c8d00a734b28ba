package dev.superstep.repl.internal.value;

/// Something that can be called. Only the interpreter's own packages make kinds of it.
public abstract non-sealed class Callable extends Value {
  /// Arguments with names.
  public static final class Named {
    public static final Named NONE = new Named(new String[0], new Value[0]);

    private final String[] names;
    private final Value[] values;

    public Named(String[] names, Value[] values) {
      this.names = names;
      this.values = values;
    }

    public boolean isEmpty() {
      return names.length == 0;
    }

    public int size() {
      return names.length;
    }

    public String name(int index) {
      return names[index];
    }

    public Value value(int index) {
      return values[index];
    }
  }

  /// Calls it.
  public abstract Value call(Meter m, Value[] args, Named named);

  /// Calls it with nothing but values in order.
  public final Value call(Meter m, Value... args) {
    return call(m, args, Named.NONE);
  }

  /// The name that messages show.
  public abstract String label();

  @Override
  public String typeName() {
    return "function";
  }
}
