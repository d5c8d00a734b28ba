package dev.superstep.repl.internal.value;

/// An item of a batch: `ok`, `value`, `error`.
public final class ResultValue extends Value {
  private final boolean ok;
  private final Value value;
  private final Value error;

  public ResultValue(boolean ok, Value value, Value error) {
    this.ok = ok;
    this.value = value;
    this.error = error;
  }

  public boolean ok() {
    return ok;
  }

  public Value value() {
    return value;
  }

  public Value error() {
    return error;
  }

  @Override
  public String typeName() {
    return "Result";
  }
}
