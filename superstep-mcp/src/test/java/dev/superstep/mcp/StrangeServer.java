package dev.superstep.mcp;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// A server of revision 2026-07-28 that answers each call of a tool with the same result.
final class StrangeServer implements AutoCloseable {
  private final HttpServer http;

  StrangeServer(String result) throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
        "/mcp",
        exchange -> {
          var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          var message = Wire.tree(Json.parse(text));
          var answer =
              switch (Wire.text(message, "method")) {
                case "server/discover" ->
                    "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}";
                case "tools/call" -> result;
                default -> "{}";
              };
          var body =
              "{\"jsonrpc\":\"2.0\",\"id\":" + message.path("id") + ",\"result\":" + answer + "}";
          var bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    http.start();
  }

  McpServer server() {
    return McpServer.http(
        "odd", URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp"));
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
