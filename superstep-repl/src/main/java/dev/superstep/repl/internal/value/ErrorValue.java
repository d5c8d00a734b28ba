package dev.superstep.repl.internal.value;

/// An exception that a script holds.
public final class ErrorValue extends Value {
  private final ErrorType type;
  private final Value[] args;
  private final String code;

  public ErrorValue(ErrorType type, Value... args) {
    this(type, "", args);
  }

  /// An error of the host.
  ///
  /// @param code empty if it is not of the host
  public ErrorValue(ErrorType type, String code, Value... args) {
    this.type = type;
    this.args = args;
    this.code = code;
  }

  public ErrorType type() {
    return type;
  }

  public Value[] args() {
    return args;
  }

  public String code() {
    return code;
  }

  @Override
  public String typeName() {
    return type.name();
  }
}
