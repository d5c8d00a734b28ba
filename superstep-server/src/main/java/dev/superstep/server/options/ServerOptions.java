package dev.superstep.server.options;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Options of a server: who may reach it, and its limits. Immutable.
///
/// @param origins the pages that browsers may use it from, such as `https://chat.example.com`, or
///   `*` for all; those that it serves itself always may
/// @param hosts the names under which it may be asked, beside those of this machine; checked
///   whenever it listens on this machine alone, else only if there are some
/// @param isOpen whether it may listen beyond this machine without an authenticator
/// @param webhooks how those of runs are sent
/// @param quotas the most that is kept
/// @param drain how long running supersteps may take when it is stopped
public record ServerOptions(
    Set<String> origins,
    Set<String> hosts,
    boolean isOpen,
    HttpLimits http,
    RunLimits runs,
    WebhookOptions webhooks,
    Quotas quotas,
    Duration drain) {
  private static final ServerOptions DEFAULTS =
      new ServerOptions(
          Set.of(),
          Set.of(),
          false,
          HttpLimits.defaults(),
          RunLimits.defaults(),
          WebhookOptions.defaults(),
          Quotas.defaults(),
          Duration.ofSeconds(20));

  public ServerOptions {
    origins = lower(origins);
    hosts = lower(hosts);
    for (var origin : origins) {
      if (!origin.equals("*") && !origin.matches("https?://[^/\\s]+")) {
        throw new IllegalArgumentException(
            "origins has `" + origin + "`; write it as `https://chat.example.com`, without a path");
      }
    }
    if (drain.isNegative()) throw new IllegalArgumentException("drain must not be negative");
  }

  /// No other origins, not open, the limits of [HttpLimits#defaults] and [RunLimits#defaults], 20
  /// seconds to drain.
  public static ServerOptions defaults() {
    return DEFAULTS;
  }

  /// With pages of these origins.
  public ServerOptions withOrigins(Set<String> all) {
    return new ServerOptions(all, hosts, isOpen, http, runs, webhooks, quotas, drain);
  }

  /// With these names of the server.
  public ServerOptions withHosts(Set<String> all) {
    return new ServerOptions(origins, all, isOpen, http, runs, webhooks, quotas, drain);
  }

  /// With everybody who can reach it, also without an authenticator.
  public ServerOptions withOpen(boolean open) {
    return new ServerOptions(origins, hosts, open, http, runs, webhooks, quotas, drain);
  }

  /// With other limits on requests.
  public ServerOptions withHttp(HttpLimits limits) {
    return new ServerOptions(origins, hosts, isOpen, limits, runs, webhooks, quotas, drain);
  }

  /// With other limits on runs.
  public ServerOptions withRuns(RunLimits limits) {
    return new ServerOptions(origins, hosts, isOpen, http, limits, webhooks, quotas, drain);
  }

  /// With other webhooks.
  public ServerOptions withWebhooks(WebhookOptions other) {
    return new ServerOptions(origins, hosts, isOpen, http, runs, other, quotas, drain);
  }

  /// With other quotas.
  public ServerOptions withQuotas(Quotas other) {
    return new ServerOptions(origins, hosts, isOpen, http, runs, webhooks, other, drain);
  }

  /// With another time to drain.
  public ServerOptions withDrain(Duration most) {
    return new ServerOptions(origins, hosts, isOpen, http, runs, webhooks, quotas, most);
  }

  private static Set<String> lower(Set<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }
}
