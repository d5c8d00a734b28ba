package dev.superstep.mcp.internal.transport;

import dev.superstep.mcp.internal.wire.Wire;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The headers of revision 2026-07-28 that repeat what is in a body.
final class StatelessHeaders {
  private static final String BEGIN = "=?base64?";
  private static final String END = "?=";

  private StatelessHeaders() {}

  /// Returns whether a header repeats an argument of a tool.
  static boolean isMirrored(String header) {
    return header.toLowerCase(Locale.ROOT).startsWith("mcp-param-");
  }

  static void add(HttpRequest.Builder request, JsonNode message, Map<String, String> mirrored) {
    mirrored.forEach((name, value) -> request.setHeader("Mcp-Param-" + name, encoded(value)));
    var method = Wire.text(message, "method");
    request.setHeader("Mcp-Method", method);
    var params = message.path("params");
    switch (method) {
      case "tools/call", "prompts/get" -> name(request, Wire.text(params, "name"));
      case "tasks/get", "tasks/update", "tasks/cancel" ->
          name(request, Wire.text(params, "taskId"));
      case "resources/read" -> name(request, Wire.text(params, "uri"));
      default -> {}
    }
  }

  private static void name(HttpRequest.Builder request, String name) {
    request.setHeader("Mcp-Name", encoded(name));
  }

  /// The text itself if a header can carry it.
  static String encoded(String text) {
    boolean isPlain =
        text.chars().allMatch(c -> c >= ' ' && c < 0x7f)
            && text.equals(text.strip())
            && !(text.startsWith(BEGIN) && text.endsWith(END));
    if (isPlain) return text;
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return BEGIN + Base64.getEncoder().encodeToString(bytes) + END;
  }
}
