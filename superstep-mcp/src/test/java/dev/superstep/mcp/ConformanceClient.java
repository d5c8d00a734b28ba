package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpOAuth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

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
      default -> {
        if (!scenario.startsWith("auth/")) {
          throw new IllegalArgumentException("no scenario " + scenario);
        }
        call(server.credentials(credentials(address)), "test-tool", "{}");
      }
    }
  }

  private static McpOAuth credentials(URI address) {
    var oauth =
        McpOAuth.of(address, new PlainConsent())
            .document(URI.create("https://conformance-test.local/client-metadata.json"));
    var context = Json.parse(System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}"));
    var told = Wire.tree(context);
    var id = told.path("client_id").asString("");
    return id.isEmpty() ? oauth : oauth.client(id, told.path("client_secret").asString(""));
  }

  /// Visits a page that agrees at once, and goes no further than to the address that it names.
  private record PlainConsent() implements McpConsent {
    @Override
    public URI redirect() {
      return URI.create("http://localhost:3000/callback");
    }

    @Override
    public URI visit(URI page) throws InterruptedException {
      try (var http = HttpClient.newHttpClient()) {
        var response =
            http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding());
        return page.resolve(response.headers().firstValue("Location").orElseThrow());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
