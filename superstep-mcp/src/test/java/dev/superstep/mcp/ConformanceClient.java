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
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The program that the official conformance suite runs: it takes the address of a server, and the
/// name of a scenario from a variable.
final class ConformanceClient {
  private ConformanceClient() {}

  public static void main(String[] arguments) throws InterruptedException {
    var scenario = String.valueOf(System.getenv("MCP_CONFORMANCE_SCENARIO"));
    var address = URI.create(arguments[arguments.length - 1]);
    boolean isStateless = "2026-07-28".equals(System.getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"));
    var plain = McpServer.http("suite", address);
    var server = isStateless ? plain.stateless() : plain;
    switch (scenario) {
      case "initialize" -> list(server);
      case "tools_call" -> call(server, "add_numbers", "{\"a\":5,\"b\":3}");
      case "elicitation-sep1034-client-defaults" ->
          call(
              server.answering(_ -> McpAnswer.accept(Json.parse("{}"))),
              "test_client_elicitation_defaults",
              "{}");
      case "sse-retry" -> call(server, "test_reconnection", "{}");
      case "request-metadata", "json-schema-ref-no-deref" -> list(server);
      case "sep-2322-client-request-state" -> rounds(server);
      case "http-standard-headers" -> everything(server);
      case "http-custom-headers" -> calls(server);
      case "http-invalid-tool-headers" -> callAll(server);
      case "json-schema-2020-12-preservation" -> echo(server);
      default -> {
        if (!scenario.startsWith("auth/")) {
          throw new IllegalArgumentException("no scenario " + scenario);
        }
        call(server.credentials(credentials(address)), "test-tool", "{}");
      }
    }
  }

  private static void rounds(McpServer server) throws InterruptedException {
    var yes = McpAnswer.accept(Json.parse("{\"confirmed\":true}"));
    try (var connection = server.answering(_ -> yes).connect()) {
      for (var tool :
          new String[] {
            "test_mrtr_echo_state",
            "test_mrtr_unrelated",
            "test_mrtr_no_state",
            "test_mrtr_no_result_type"
          }) {
        var _ = connection.call(tool, Json.parse("{}"));
      }
    }
  }

  private static void everything(McpServer server) throws InterruptedException {
    try (var connection = server.connect()) {
      for (var tool : connection.definitions()) {
        var _ = connection.call(tool.name(), Json.parse("{}"));
      }
      for (var resource : connection.resources()) {
        var _ = connection.read(resource.uri());
      }
      for (var prompt : connection.prompts()) {
        var _ = connection.prompt(prompt.name(), Map.of());
      }
    }
  }

  private static void calls(McpServer server) throws InterruptedException {
    try (var connection = server.connect()) {
      for (var call : context().path("toolCalls")) {
        var _ = connection.call(Wire.text(call, "name"), Wire.json(call.path("arguments")));
      }
    }
  }

  private static void callAll(McpServer server) throws InterruptedException {
    try (var connection = server.connect()) {
      for (var tool : connection.definitions()) {
        var _ = connection.call(tool.name(), Json.parse("{\"region\":\"us-west1\"}"));
      }
    }
  }

  private static void echo(McpServer server) throws InterruptedException {
    try (var connection = server.connect()) {
      for (var tool : connection.definitions()) {
        if (tool.name().equals("json_schema_echo")) continue;
        var arguments = Wire.object();
        arguments.set("schema", Wire.tree(tool.inputSchema()));
        var _ = connection.call("json_schema_echo", Wire.json(arguments));
      }
      for (var why : connection.skipped()) System.err.println("left out: " + why);
    }
  }

  private static JsonNode context() {
    return Wire.tree(Json.parse(System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}")));
  }

  private static McpOAuth credentials(URI address) {
    var oauth =
        McpOAuth.of(address, new PlainConsent())
            .document(URI.create("https://conformance-test.local/client-metadata.json"));
    var told = context();
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
