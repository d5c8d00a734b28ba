package dev.superstep.graph.internal.kernel;

/// Logs things that users of the library should know although nothing fails. The logger is looked
/// up only when there is something to log: finding one searches every jar, which costs more than a
/// short run.
public final class EngineLog {
  private EngineLog() {}

  public static void warn(String what, Throwable why) {
    System.getLogger("dev.superstep.graph").log(System.Logger.Level.WARNING, what, why);
  }
}
