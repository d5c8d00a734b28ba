package dev.superstep.event;

/// Logs things that users of the library should know although nothing fails. The logger is looked
/// up only when there is something to log: finding one searches every jar, which costs more than a
/// short run.
final class EventLog {
  private EventLog() {}

  static void warn(String what, Throwable why) {
    System.getLogger("dev.superstep.event").log(System.Logger.Level.WARNING, what, why);
  }
}
