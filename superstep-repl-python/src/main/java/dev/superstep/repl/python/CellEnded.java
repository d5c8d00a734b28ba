package dev.superstep.repl.python;

/// The end of a cell that its program cannot catch: the interpreter is killed. Stays in this
/// package.
final class CellEnded extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String code;

  /// @param code the last part of the code of the error
  CellEnded(String code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  String code() {
    return code;
  }
}
