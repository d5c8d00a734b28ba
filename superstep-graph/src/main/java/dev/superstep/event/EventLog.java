package dev.superstep.event;

/// What users of the library should know although nothing fails. The logger is asked for when there
/// is something to say: finding one looks through every jar, which costs more than a short run.
final class EventLog {
  private EventLog() {}

  static void warn(String what, Throwable why) {
    System.getLogger("dev.superstep.event").log(System.Logger.Level.WARNING, what, why);
  }
}
