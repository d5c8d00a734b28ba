package dev.superstep.cli.host;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A setting of `superstep serve`. An option of the command is before the environment, that before
/// `[server]` of the user's configuration, and that before what is built in. The folders that are
/// served have no say: they may be a stranger's.
public enum ServerSetting {
  /// The address on which it listens.
  HOST("127.0.0.1"),
  /// The port on which it listens.
  PORT("2024"),
  /// The database.
  STORE("sqlite:.superstep/superstep.db"),
  /// The file with the keys that encrypt what is stored.
  ENCRYPTION_KEYS(""),
  /// The file with the API keys.
  KEYS(""),
  /// The issuer of tokens.
  JWT_ISSUER(""),
  /// The audience that tokens must be made for.
  JWT_AUDIENCE(""),
  /// The origins of pages in browsers.
  ORIGINS(""),
  /// The names under which it is asked.
  HOSTS(""),
  /// Lets everybody use it beyond this machine.
  OPEN("false"),
  /// Lets clients change the texts of graphs.
  EDIT("false"),
  /// Shows each client its own threads only.
  ISOLATE("false"),
  /// Serves the graphs as agents of A2A.
  A2A("false"),
  /// Lets clients of A2A name webhooks for their tasks.
  A2A_PUSH("false"),
  /// The address that cards of A2A name.
  A2A_URL(""),
  /// The file with the key that signs cards of A2A.
  A2A_KEY(""),
  /// Serves the graphs to user interfaces by AG-UI.
  AGUI("false"),
  /// The file that tells who did what.
  AUDIT_LOG(""),
  /// The file that tells of each request.
  REQUEST_LOG(""),
  /// The most runs at once.
  CONCURRENT_RUNS("100"),
  /// The most requests of one client in a second.
  REQUESTS_PER_SECOND("200"),
  /// The time that runs have to be saved at the end.
  DRAIN_SECONDS("20");

  private final String standard;

  ServerSetting(String standard) {
    this.standard = standard;
  }

  /// A value and where it comes from.
  ///
  /// @param origin such as a variable; empty if it is built in
  public record Found(String value, String origin) {}

  /// The name in a file, such as `audit-log`.
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The variable of the environment.
  public String variable() {
    return "SUPERSTEP_SERVER_" + name();
  }

  /// The value that is built in; empty for none.
  public String standard() {
    return standard;
  }

  /// The value that counts, with its origin.
  ///
  /// @param options what the command was given
  public Found find(Host host, Map<ServerSetting, String> options) {
    var option = options.get(this);
    if (option != null) return new Found(option, "--" + key());
    var variable = host.variable(variable());
    if (variable.isPresent()) return new Found(variable.get(), variable());
    var config = UserConfig.of(host);
    return Optional.ofNullable(config.server().get(key()))
        .map(value -> new Found(value, config.file().toString()))
        .orElse(new Found(standard, ""));
  }

  static Set<String> keys() {
    return Arrays.stream(values()).map(ServerSetting::key).collect(Collectors.toUnmodifiableSet());
  }
}
