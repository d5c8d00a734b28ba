package dev.superstep.cli.serve;

import dev.superstep.a2a.server.A2aServer;
import dev.superstep.a2a.server.CardSigner;
import dev.superstep.agui.AgUi;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ServerSetting;
import dev.superstep.cli.host.UsageError;
import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.RunLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Authorizer.Decision;
import dev.superstep.server.security.JwtAuthenticator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The settings of a server, read. Immutable.
///
/// @param options what the command was given
record ServerConfig(Host host, Map<ServerSetting, String> options) {
  /// Keys themselves, for those who have a secret in the environment and no file.
  private static final String KEYS_VARIABLE = "SUPERSTEP_SERVER_API_KEYS";

  private static final int PORT_MAX = 65_535;

  ServerSetting.Found find(ServerSetting setting) {
    return setting.find(host, options);
  }

  /// The address to listen on.
  InetSocketAddress address() {
    var name = find(ServerSetting.HOST).value();
    try {
      return new InetSocketAddress(
          InetAddress.getByName(name), number(ServerSetting.PORT, 0, PORT_MAX));
    } catch (UnknownHostException e) {
      throw wrong(ServerSetting.HOST, "there is no address for `" + name + "`");
    }
  }

  /// Refuses an address beyond this machine for a server that asks nobody who they are.
  void checkAlone(InetSocketAddress address) {
    if (isOn(ServerSetting.OPEN) || address.getAddress().isLoopbackAddress()) return;
    throw new UsageError(
        "serve.open",
        "Everybody who reaches %s could use the server. Ask for keys by --keys, for tokens by --jwt-issuer, or say that it is meant by --open."
            .formatted(address.getHostString()));
  }

  /// Gives a server its options, and those who may use it.
  ///
  /// @return whether it asks who sends a request
  boolean applyTo(AgentServerBuilder server) {
    server.options(
        withOrigins(ServerOptions.defaults())
            .withHosts(words(ServerSetting.HOSTS))
            .withOpen(isOn(ServerSetting.OPEN))
            .withDrain(
                Duration.ofSeconds(number(ServerSetting.DRAIN_SECONDS, 0, Integer.MAX_VALUE)))
            .withHttp(
                HttpLimits.defaults()
                    .withRequestsPerSecond(number(ServerSetting.REQUESTS_PER_SECOND, 1, 1_000_000)))
            .withRuns(
                RunLimits.defaults()
                    .withConcurrent(number(ServerSetting.CONCURRENT_RUNS, 1, 10_000))));
    text(ServerSetting.AUDIT_LOG).ifPresent(file -> server.audit(AuditLog.toFile(host.path(file))));
    text(ServerSetting.REQUEST_LOG)
        .ifPresent(file -> server.requestLog(RequestLog.toFile(host.path(file))));
    var keys = keys();
    var authenticator = either(keys, tokens());
    authenticator.ifPresent(server::authenticator);
    if (isOn(ServerSetting.ISOLATE) && authenticator.isEmpty()) {
      throw wrong(
          ServerSetting.ISOLATE,
          "it tells clients apart by keys or tokens, and none are asked for");
    }
    server.authorizer(authorizer(keys));
    return authenticator.isPresent();
  }

  /// The protocols that are served beside that of LangGraph, by the name that a user gave them.
  Map<String, ServerExtension> protocols() {
    var all = new LinkedHashMap<String, ServerExtension>();
    if (isOn(ServerSetting.A2A)) all.put("a2a", a2a());
    for (var part : List.of(ServerSetting.A2A_PUSH, ServerSetting.A2A_URL, ServerSetting.A2A_KEY)) {
      boolean isGiven = !find(part).value().equals(part.standard());
      if (isGiven && all.isEmpty()) throw wrong(part, "it needs --a2a");
    }
    if (isOn(ServerSetting.AGUI)) all.put("agui", AgUi.protocol());
    return Collections.unmodifiableMap(all);
  }

  private A2aServer a2a() {
    var protocol = A2aServer.protocol();
    if (isOn(ServerSetting.A2A_PUSH)) protocol = protocol.pushNotifications();
    var key = text(ServerSetting.A2A_KEY);
    if (key.isPresent()) protocol = protocol.signedBy(signer(key.get()));
    var url = text(ServerSetting.A2A_URL);
    if (url.isEmpty()) {
      if (key.isEmpty()) return protocol;
      throw wrong(ServerSetting.A2A_KEY, "signed cards need the address of the server, --a2a-url");
    }
    try {
      return protocol.publicAt(URI.create(url.get()));
    } catch (IllegalArgumentException malformed) {
      throw wrong(ServerSetting.A2A_URL, String.valueOf(malformed.getMessage()));
    }
  }

  private CardSigner signer(String file) {
    var path = host.path(file);
    var name = String.valueOf(path.getFileName()).replaceFirst("\\.[^.]*$", "");
    try {
      return CardSigner.pem(name, path);
    } catch (IOException e) {
      throw wrong(ServerSetting.A2A_KEY, "the file " + file + " cannot be read");
    } catch (IllegalArgumentException malformed) {
      throw wrong(ServerSetting.A2A_KEY, String.valueOf(malformed.getMessage()));
    }
  }

  private Authorizer authorizer(Optional<ApiKeys> keys) {
    var seen = isOn(ServerSetting.ISOLATE) ? Authorizer.ownThreads() : Authorizer.everything();
    if (keys.isEmpty()) return seen;
    var permissions = keys.get().permissions();
    return (who, what) ->
        switch (permissions.decide(who, what)) {
          case Decision.Denied denied -> denied;
          case Decision.Allowed _ -> seen.decide(who, what);
        };
  }

  private ServerOptions withOrigins(ServerOptions all) {
    try {
      return all.withOrigins(words(ServerSetting.ORIGINS));
    } catch (IllegalArgumentException malformed) {
      throw wrong(ServerSetting.ORIGINS, String.valueOf(malformed.getMessage()));
    }
  }

  private static Optional<Authenticator> either(
      Optional<ApiKeys> keys, Optional<Authenticator> tokens) {
    if (keys.isEmpty()) return tokens;
    if (tokens.isEmpty()) return Optional.of(keys.get());
    Authenticator both =
        credentials ->
            keys.get().authenticate(credentials).or(() -> tokens.get().authenticate(credentials));
    return Optional.of(both);
  }

  private Optional<ApiKeys> keys() {
    var file = text(ServerSetting.KEYS);
    var inline = host.variable(KEYS_VARIABLE);
    if (file.isEmpty() && inline.isEmpty()) return Optional.empty();
    try {
      return Optional.of(
          file.isPresent() ? ApiKeys.read(host.path(file.get())) : ApiKeys.parse(inline.get()));
    } catch (IOException e) {
      throw wrong(ServerSetting.KEYS, "the file " + file.get() + " cannot be read");
    } catch (IllegalArgumentException malformed) {
      var where = file.orElse(KEYS_VARIABLE);
      throw new UsageError("serve.keys", "Of " + where + ", " + malformed.getMessage() + ".");
    }
  }

  private Optional<Authenticator> tokens() {
    var issuer = text(ServerSetting.JWT_ISSUER);
    if (issuer.isEmpty()) return Optional.empty();
    var audience =
        text(ServerSetting.JWT_AUDIENCE)
            .orElseThrow(
                () -> wrong(ServerSetting.JWT_AUDIENCE, "tokens of an issuer need an audience"));
    try {
      return Optional.of(JwtAuthenticator.discover(URI.create(issuer.get()), audience));
    } catch (IOException | IllegalArgumentException e) {
      throw wrong(ServerSetting.JWT_ISSUER, String.valueOf(e.getMessage()));
    }
  }

  /// Returns whether a setting is on.
  boolean isOn(ServerSetting setting) {
    return switch (find(setting).value()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(setting, "it must be true or false");
    };
  }

  private Optional<String> text(ServerSetting setting) {
    return Optional.of(find(setting).value()).filter(value -> !value.isBlank());
  }

  private Set<String> words(ServerSetting setting) {
    return Arrays.stream(find(setting).value().split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private int number(ServerSetting setting, int least, int most) {
    var value = find(setting).value();
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) return number;
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw wrong(setting, "it must be a number from %,d to %,d".formatted(least, most));
  }

  private UsageError wrong(ServerSetting setting, String why) {
    var origin = find(setting).origin();
    return new UsageError(
        "serve.setting",
        "Setting `%s`%s is wrong: %s."
            .formatted(setting.key(), origin.isEmpty() ? "" : " of " + origin, why));
  }
}
