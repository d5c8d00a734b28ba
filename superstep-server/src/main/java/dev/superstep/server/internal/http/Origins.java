package dev.superstep.server.internal.http;

import dev.superstep.server.options.ServerOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Keeps pages of other sites away from the server: a browser sends their requests with the rights
/// of its user. Immutable.
final class Origins {
  private static final String EXPOSED =
      "Content-Location, Location, X-Pagination-Total, X-Pagination-Next, Retry-After,"
          + " X-Request-Id";
  private static final Set<String> SAFE = Set.of("GET", "HEAD");
  private static final Set<String> FOREIGN_SITES = Set.of("cross-site", "same-site");

  private final Set<String> origins;
  private final Set<String> hosts;
  private final boolean hostsAreChecked;

  /// @param isLoopback whether the server listens on this machine alone
  Origins(ServerOptions options, boolean isLoopback) {
    origins = options.origins();
    hosts = options.hosts();
    hostsAreChecked = isLoopback || !hosts.isEmpty();
  }

  /// Checks who a request is for, and which page it comes from.
  ///
  /// @return headers of the answer
  /// @throws HttpFailure 403 if a browser must not send it
  Map<String, String> check(Exchange exchange) {
    var host = host(exchange);
    // A page can give its own name the address of this machine; the header has still that name.
    if (hostsAreChecked && !isOurs(name(host))) {
      throw new HttpFailure(
          403, "This server is not asked under the name `" + printable(host) + "`.");
    }
    var origin = one(exchange, "origin").toLowerCase(Locale.ROOT);
    var headers = new LinkedHashMap<String, String>();
    headers.put("Vary", "Origin");
    if (origin.isEmpty()) {
      var site = one(exchange, "sec-fetch-site").toLowerCase(Locale.ROOT);
      if (FOREIGN_SITES.contains(site) && !isSafe(exchange)) {
        throw new HttpFailure(403, "Pages of other sites may not change anything here.");
      }
      return headers;
    }
    if (origin.equals("http://" + host) || origin.equals("https://" + host)) return headers;
    if (!origins.contains("*") && !origins.contains(origin)) {
      throw new HttpFailure(
          403,
          "Pages of `%s` may not use this server; its option `origins` does not have them."
              .formatted(printable(origin)));
    }
    headers.put("Access-Control-Allow-Origin", origins.contains("*") ? "*" : origin);
    headers.put("Access-Control-Expose-Headers", EXPOSED);
    return headers;
  }

  /// The headers of the answer to a browser that asks what it may send.
  static Map<String, String> preflight(Exchange exchange, Set<String> methods) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Access-Control-Allow-Methods", String.join(", ", methods));
    var wanted = one(exchange, "access-control-request-headers");
    if (!wanted.isEmpty() && wanted.matches("[A-Za-z0-9\\-_, ]{1,1000}")) {
      headers.put("Access-Control-Allow-Headers", wanted);
    }
    headers.put("Access-Control-Max-Age", "600");
    return headers;
  }

  /// A WebSocket is asked for by GET, and can do what POST can.
  private static boolean isSafe(Exchange exchange) {
    return SAFE.contains(exchange.method()) && one(exchange, "upgrade").isEmpty();
  }

  private boolean isOurs(String name) {
    return hosts.contains(name)
        || name.equals("localhost")
        || name.endsWith(".localhost")
        || name.equals("127.0.0.1")
        || name.equals("[::1]");
  }

  private static String host(Exchange exchange) {
    return one(exchange, "host").toLowerCase(Locale.ROOT);
  }

  private static String name(String host) {
    return host.replaceFirst(":\\d*$", "");
  }

  private static String one(Exchange exchange, String header) {
    var values = exchange.headers(header);
    if (values.size() > 1) throw new HttpFailure(400, "The header `" + header + "` came twice.");
    return values.isEmpty() ? "" : values.getFirst().strip();
  }

  private static String printable(String text) {
    var safe = text.replaceAll("[^\\x21-\\x7e]", "?");
    return safe.length() > 100 ? safe.substring(0, 100) + "…" : safe;
  }
}
