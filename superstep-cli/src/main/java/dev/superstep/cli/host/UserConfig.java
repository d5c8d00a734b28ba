package dev.superstep.cli.host;

import dev.superstep.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The user's settings for all programs, in `$SUPERSTEP_CONFIG` or `superstep/config.toml` of the
/// configuration folder. Immutable.
///
/// @param model the URL of the model to use
/// @param server what `superstep serve` takes, by the keys of [ServerSetting]
/// @param mcp the MCP servers of the user by their names, unread
public record UserConfig(
    Path file, Optional<String> model, Map<String, String> server, Map<String, Json> mcp) {
  private static final String SERVER = "server";
  private static final Map<String, Set<String>> KEYS =
      Map.of("", Set.of("model"), SERVER, ServerSetting.keys(), McpTables.KEY, TomlFile.TABLES);

  public UserConfig {
    server = Map.copyOf(server);
    mcp = Collections.unmodifiableMap(new LinkedHashMap<>(mcp));
  }

  /// Reads the file; without one, nothing is set.
  ///
  /// @throws UsageError that says what is wrong
  public static UserConfig of(Host host) {
    var named = host.variable("SUPERSTEP_CONFIG").map(host::path);
    var file = named.orElseGet(() -> usual(host));
    if (named.isEmpty() && !Files.exists(file)) {
      return new UserConfig(file, Optional.empty(), Map.of(), Map.of());
    }
    var toml = TomlFile.read(file, KEYS);
    var server = new HashMap<String, String>();
    for (var key : toml.keys(SERVER)) {
      toml.any(SERVER, key).ifPresent(value -> server.put(key, value));
    }
    return new UserConfig(file, toml.string("model"), server, toml.tables(McpTables.KEY));
  }

  /// The folder of the user's settings, and of what the user has agreed to.
  public Path folder() {
    return java.util.Objects.requireNonNull(file.toAbsolutePath().getParent());
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
