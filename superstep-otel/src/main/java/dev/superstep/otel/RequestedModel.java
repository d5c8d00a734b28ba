package dev.superstep.otel;

import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import java.util.regex.Pattern;

/// The attributes that the conventions have for a requested model. Of its URL only the name and the
/// server are used: the rest may hold keys, users or file paths. Immutable.
///
/// @param server its host, or empty
/// @param port or 0
record RequestedModel(String provider, String model, String server, int port) {
  private static final Pattern VERSION = Pattern.compile("/v\\d\\w*/");
  private static final int PORT_MOST = 65_535;

  static RequestedModel of(String url) {
    int colon = url.indexOf("://");
    if (colon < 0) return new RequestedModel("_OTHER", lastPart(url), "", 0);
    var scheme = url.substring(0, colon);
    var rest = withoutQuery(url.substring(colon + 3));
    return switch (scheme) {
      case "openai", "anthropic" -> new RequestedModel(scheme, rest, "", 0);
      case "gemini" -> new RequestedModel("gcp.gemini", rest, "", 0);
      case "mistral" -> new RequestedModel("mistral_ai", rest, "", 0);
      case "ollama" -> served("ollama", rest);
      case "openai-compatible" -> compatible(rest);
      // A file or a name of the program's own.
      default -> new RequestedModel(scheme, lastPart(rest), "", 0);
    };
  }

  /// Returns true if the model is in another process.
  boolean isRemote() {
    return switch (provider) {
      case "local", "scripted", "recorded" -> false;
      default -> true;
    };
  }

  SpanKind kind() {
    return isRemote() ? SpanKind.CLIENT : SpanKind.INTERNAL;
  }

  /// Writes it down.
  AttributesBuilder into(AttributesBuilder attributes) {
    attributes.put(AttributeKeys.OPERATION, "chat").put(AttributeKeys.PROVIDER, provider);
    attributes.put(AttributeKeys.REQUEST_MODEL, model);
    if (!server.isEmpty()) attributes.put(AttributeKeys.SERVER_ADDRESS, server);
    if (port > 0) attributes.put(AttributeKeys.SERVER_PORT, (long) port);
    return attributes;
  }

  private static RequestedModel compatible(String rest) {
    int host = rest.indexOf("://");
    var address = host < 0 ? rest : rest.substring(host + 3);
    var version = VERSION.matcher(address);
    var server = served("openai_compatible", address);
    var model = version.find() ? address.substring(version.end()) : lastPart(address);
    return new RequestedModel(server.provider, model, server.server, server.port);
  }

  /// `host:port/model`.
  private static RequestedModel served(String provider, String rest) {
    int slash = rest.indexOf('/');
    if (slash < 0) return new RequestedModel(provider, rest, "", 0);
    var authority = rest.substring(0, slash);
    var host = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = host.lastIndexOf(':');
    int port = colon < 0 ? 0 : port(host.substring(colon + 1));
    var server = port == 0 ? host : host.substring(0, colon);
    return new RequestedModel(provider, rest.substring(slash + 1), server, port);
  }

  private static int port(String digits) {
    try {
      int port = Integer.parseInt(digits);
      return port > 0 && port <= PORT_MOST ? port : 0;
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private static String withoutQuery(String rest) {
    int end = rest.indexOf('?');
    return end < 0 ? rest : rest.substring(0, end);
  }

  private static String lastPart(String text) {
    return text.substring(text.lastIndexOf('/') + 1);
  }
}
