package dev.superstep.repl.internal.value;

/// Something of the host that a script passes on without seeing into it.
public final class HandleValue extends Value {
  private final String kind;
  private final String label;
  private final Object target;

  public HandleValue(String kind, String label, Object target) {
    this.kind = kind;
    this.label = label;
    this.target = target;
  }

  public String label() {
    return label;
  }

  /// The thing itself, for the host alone.
  public Object target() {
    return target;
  }

  @Override
  public String typeName() {
    return kind;
  }
}
