package dev.superstep.cli.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The user's settings for all programs, in `$SUPERSTEP_CONFIG` or `superstep/config.toml` of the
/// configuration folder. Immutable.
///
/// @param model the URL of the model to use
public record UserConfig(Path file, Optional<String> model) {
  private static final Map<String, Set<String>> KEYS = Map.of("", Set.of("model"));

  /// Reads the file; without one, nothing is set.
  ///
  /// @throws UsageError that says what is wrong
  public static UserConfig of(Host host) {
    var named = host.variable("SUPERSTEP_CONFIG").map(host::path);
    var file = named.orElseGet(() -> usual(host));
    if (named.isEmpty() && !Files.exists(file)) return new UserConfig(file, Optional.empty());
    return new UserConfig(file, TomlFile.read(file, KEYS).string("model"));
  }

  private static Path usual(Host host) {
    return host.variable("XDG_CONFIG_HOME")
        .map(host::path)
        .orElseGet(() -> host.path(home(host)).resolve(".config"))
        .resolve("superstep")
        .resolve("config.toml");
  }

  private static String home(Host host) {
    return host.variable("HOME").orElse(System.getProperty("user.home", "."));
  }
}
