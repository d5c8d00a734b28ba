package dev.superstep.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/// Where the process begins.
public final class Main {
  private Main() {}

  /// Runs one command and ends the process with its exit code.
  public static void main(String[] arguments) {
    // Libraries log what they find interesting; only what is wrong belongs on a user's terminal.
    Logger.getLogger("").setLevel(Level.WARNING);
    var stop = Stop.ofProcess();
    int exit = Cli.run(Host.ofProcess(stop), arguments);
    stop.finished(exit);
    System.exit(exit);
  }
}
