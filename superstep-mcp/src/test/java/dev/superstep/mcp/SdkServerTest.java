package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.tool.Tools;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The server of the official SDK for Java as a peer.
@Timeout(120)
final class SdkServerTest {
  @TempDir Path folder;

  /// A program with a server of the SDK.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws InterruptedException {
      var json = McpJsonDefaults.getMapper();
      var schema = Map.<String, Object>of("type", "object");
      var tool = McpSchema.Tool.builder("shout", schema).description("Says it loudly.").build();
      var server =
          io.modelcontextprotocol.server.McpServer.sync(new StdioServerTransportProvider(json))
              .serverInfo("sdk", "1")
              .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
              .toolCall(
                  tool,
                  (_, request) ->
                      McpSchema.CallToolResult.builder()
                          .addTextContent(
                              String.valueOf(request.arguments().get("text"))
                                  .toUpperCase(java.util.Locale.ROOT))
                          .build())
              .build();
      Thread.currentThread().join();
      server.close();
    }
  }

  @Test
  void a_server_of_the_SDK_is_understood() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path = System.getProperty("java.class.path");
    var server =
        McpServer.stdio("sdk", folder.toRealPath(), java, "-cp", path, Program.class.getName());
    try (var connection = server.connect()) {
      assertThat(connection.revision()).startsWith("2025-");
      assertThat(connection.serverInfo()).isEqualTo("sdk 1");
      assertThat(Tools.of(connection.tools()).names()).containsExactly("sdk_shout");
      var said = connection.call("shout", Json.parse("{\"text\":\"tea\"}"));
      assertThat(said.content()).isEqualTo(List.of(new Content.Text("TEA")));
      connection.ping();
    }
  }
}
