package dev.superstep.graph.internal.kernel;

/// Tells exceptions of the program's own code, which become errors of that code, from errors of the
/// whole process, which must not be hidden.
public final class FatalErrors {
  private FatalErrors() {}

  /// Throws it on if it is of the second kind. A stack that was too small is again large enough.
  public static void rethrow(Throwable error) {
    if (error instanceof VirtualMachineError e && !(e instanceof StackOverflowError)) throw e;
  }
}
