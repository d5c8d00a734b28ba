package dev.superstep.server.internal.run;

import java.lang.System.Logger.Level;

/// The log of the work in the background, for operators.
final class ServerLog {
  private static final System.Logger LOG = System.getLogger("dev.superstep.server");

  private ServerLog() {}

  static void failed(String run, Throwable error) {
    LOG.log(Level.WARNING, () -> "Run " + run + " failed.", error);
  }

  static void background(String what, Throwable error) {
    LOG.log(Level.WARNING, () -> what, error);
  }
}
