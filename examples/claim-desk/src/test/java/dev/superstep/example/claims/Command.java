package dev.superstep.example.claims;

import dev.superstep.cli.command.Cli;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.Keyboard;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.cli.host.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// The command in a folder, with nobody at the keyboard.
record Command(Path folder) {
  /// The examples of this repository.
  static final Path EXAMPLES = Path.of("..").toAbsolutePath().normalize();

  /// The texts that a command printed, and how it ended.
  record Said(int exit, String out, String err) {}

  private static final class Nobody implements Keyboard {
    @Override
    public Optional<String> readLine() {
      return Optional.empty();
    }

    @Override
    public boolean forget() {
      return false;
    }

    @Override
    public Duration quiet() {
      return Duration.ZERO;
    }

    @Override
    public void rest(Duration time) {}

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  Said run(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal =
        new Terminal(
            new Nobody(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false,
            false);
    var host =
        new Host(
            folder,
            Map.of("HOME", folder.toString()),
            terminal,
            "./superstep",
            new Host.Chance(InstantSource.system(), new Random()),
            new SignalHandler());
    int exit = Cli.run(host, arguments);
    return new Said(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
