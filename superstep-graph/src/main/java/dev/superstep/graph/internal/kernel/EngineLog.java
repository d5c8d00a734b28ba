package dev.superstep.graph.internal.kernel;

/// What users of the library should know although nothing fails. The logger is asked for when there
/// is something to say: finding one looks through every jar, which costs more than a short run.
public final class EngineLog {
  private EngineLog() {}

  public static void warn(String what, Throwable why) {
    System.getLogger("dev.superstep.graph").log(System.Logger.Level.WARNING, what, why);
  }
}
