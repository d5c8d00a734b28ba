package dev.superstep.mcp;

import dev.superstep.json.Json;
import java.net.URI;

/// The program that the official conformance suite runs: it takes the address of a server, and the
/// name of a scenario from a variable.
final class ConformanceClient {
  private ConformanceClient() {}

  public static void main(String[] arguments) throws InterruptedException {
    var scenario = String.valueOf(System.getenv("MCP_CONFORMANCE_SCENARIO"));
    var address = URI.create(arguments[arguments.length - 1]);
    var server = McpServer.http("suite", address);
    switch (scenario) {
      case "initialize" -> list(server);
      case "tools_call" -> call(server, "add_numbers", "{\"a\":5,\"b\":3}");
      case "elicitation-sep1034-client-defaults" ->
          call(
              server.answering(_ -> McpAnswer.accept(Json.parse("{}"))),
              "test_client_elicitation_defaults",
              "{}");
      case "sse-retry" -> call(server, "test_reconnection", "{}");
      default -> throw new IllegalArgumentException("no scenario " + scenario);
    }
  }

  private static void list(McpServer server) throws InterruptedException {
    try (var connection = server.connect()) {
      var _ = connection.definitions();
    }
  }

  private static void call(McpServer server, String tool, String arguments)
      throws InterruptedException {
    try (var connection = server.connect()) {
      var _ = connection.definitions();
      var result = connection.call(tool, Json.parse(arguments));
      if (result.error()) throw new IllegalStateException(result.text());
    }
  }
}
