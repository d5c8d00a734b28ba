package dev.superstep.cli.host;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The environment of the command. Passed in, so that tests supply their own. Immutable.
///
/// @param folder the current directory
/// @param variables the environment
/// @param command how the user types this command, quoted where a shell needs it
public record Host(
    Path folder,
    Map<String, String> variables,
    Terminal terminal,
    String command,
    Chance chance,
    SignalHandler stop) {
  /// Time and randomness.
  public record Chance(InstantSource clock, RandomGenerator random) {}

  /// A generator that is created at its first use: that takes much of a start, and many commands
  /// need none.
  private static final class Secure {
    static final SecureRandom RANDOM = new SecureRandom();
  }

  public static Host ofProcess(SignalHandler stop) {
    return new Host(
        Path.of("").toAbsolutePath(),
        System.getenv(),
        Terminal.ofProcess(),
        System.getProperty("superstep.command", "superstep"),
        new Chance(InstantSource.system(), () -> Secure.RANDOM.nextLong()),
        stop);
  }

  /// Returns a copy whose text has colours when an option says so.
  public Host colored(Display.Colors when) {
    var all = new HashMap<>(variables);
    all.putAll(Display.variables(when));
    return new Host(folder, Map.copyOf(all), terminal.in(all), command, chance, stop);
  }

  public InstantSource clock() {
    return chance.clock();
  }

  /// Returns an environment variable that is set and not blank.
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
  }

  /// Resolves a path, as the user typed it, against the current directory.
  public Path path(String typed) {
    try {
      return folder.resolve(typed).normalize();
    } catch (InvalidPathException e) {
      throw new UsageError("usage.path", "`" + typed + "` is not a path: " + e.getReason() + ".");
    }
  }
}
