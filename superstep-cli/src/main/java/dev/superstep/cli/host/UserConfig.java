package dev.superstep.cli.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The user's settings for all programs, in `$SUPERSTEP_CONFIG` or `superstep/config.toml` of the
/// configuration folder. Immutable.
///
/// @param model the URL of the model to use
/// @param server what `superstep serve` takes, by the keys of [ServerSetting]
public record UserConfig(Path file, Optional<String> model, Map<String, String> server) {
  private static final String SERVER = "server";
  private static final Map<String, Set<String>> KEYS =
      Map.of("", Set.of("model"), SERVER, ServerSetting.keys());

  public UserConfig {
    server = Map.copyOf(server);
  }

  /// Reads the file; without one, nothing is set.
  ///
  /// @throws UsageError that says what is wrong
  public static UserConfig of(Host host) {
    var named = host.variable("SUPERSTEP_CONFIG").map(host::path);
    var file = named.orElseGet(() -> usual(host));
    if (named.isEmpty() && !Files.exists(file)) {
      return new UserConfig(file, Optional.empty(), Map.of());
    }
    var toml = TomlFile.read(file, KEYS);
    var server = new HashMap<String, String>();
    for (var key : toml.keys(SERVER)) {
      toml.any(SERVER, key).ifPresent(value -> server.put(key, value));
    }
    return new UserConfig(file, toml.string("model"), server);
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
