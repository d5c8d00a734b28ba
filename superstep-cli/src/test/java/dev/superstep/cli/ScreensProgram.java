package dev.superstep.cli;

import dev.superstep.cli.command.Cli;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SignalHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;

/// Runs commands in a terminal, one after the other, at a fixed time. Each begins on an empty
/// screen, after a line was entered.
public final class ScreensProgram {
  private static final Instant NOW = Instant.parse("2026-11-21T22:18:00Z");

  private ScreensProgram() {}

  /// @param arguments a file with a command in each line, its words divided by blanks
  public static void main(String[] arguments) throws IOException {
    int number = 0;
    for (var line : Files.readAllLines(Path.of(arguments[0]))) {
      System.out.print("\u001b[2J\u001b[H\u001b[3J");
      System.out.flush();
      var real = Host.ofProcess(new SignalHandler());
      var host =
          new Host(
              real.folder(),
              real.variables(),
              real.terminal(),
              "superstep",
              new Host.Chance(() -> NOW, new Random(1)),
              new SignalHandler());
      int exit = Cli.run(host, line.split(" ", -1));
      System.out.println("[screen " + number++ + ", exit code " + exit + "]");
      System.out.flush();
      while (System.in.read() != '\n') {}
    }
  }
}
