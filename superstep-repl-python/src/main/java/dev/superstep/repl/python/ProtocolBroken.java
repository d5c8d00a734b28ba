package dev.superstep.repl.python;

/// A frame of the interpreter that is none, or that does not belong where it came. The interpreter
/// runs programs of a model, so this is expected: it is killed. Stays in this package.
final class ProtocolBroken extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProtocolBroken(String what) {
    super(what);
  }
}
