package dev.superstep.graph.internal.kernel;

/// Tells what the program's own code throws, which becomes an error of that code, from what says
/// that the whole process is in trouble, which nobody may hide.
public final class FatalErrors {
  private FatalErrors() {}

  /// Throws it on if it is of the second kind. A stack that was too small is again large enough.
  public static void rethrow(Throwable error) {
    if (error instanceof VirtualMachineError e && !(e instanceof StackOverflowError)) throw e;
  }
}
