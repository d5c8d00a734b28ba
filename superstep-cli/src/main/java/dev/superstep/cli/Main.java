package dev.superstep.cli;

import dev.superstep.cli.command.Cli;
import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.LogSettings;
import dev.superstep.cli.host.SignalHandler;
import java.io.IOException;

/// The entry point of the process.
public final class Main {
  private Main() {}

  /// Runs one command and ends the process with its exit code.
  public static void main(String[] arguments) throws IOException {
    if (BuildVersion.isAsked(arguments)) {
      // Scripts ask for it; reading what commands take would be most of the time.
      System.out.println(BuildVersion.line());
      return;
    }
    LogSettings.install();
    var stop = SignalHandler.ofProcess();
    int exit = Cli.run(Host.ofProcess(stop), arguments);
    stop.finished(exit);
    System.exit(exit);
  }
}
