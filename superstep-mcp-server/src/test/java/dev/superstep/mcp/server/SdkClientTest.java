package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.message.Content;
import dev.superstep.service.InMemoryServiceStore;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client of the official SDK for Java as a peer.
@Timeout(120)
final class SdkClientTest {
  @TempDir Path folder;

  private final List<String> asked = new CopyOnWriteArrayList<>();

  private McpSyncClient client(McpClientTransport transport) {
    return McpClient.sync(transport)
        .requestTimeout(Duration.ofSeconds(30))
        .initializationTimeout(Duration.ofSeconds(30))
        .capabilities(McpSchema.ClientCapabilities.builder().elicitation().build())
        .elicitation(request -> {
          asked.add(request.message());
          return new McpSchema.ElicitResult(
              McpSchema.ElicitResult.Action.ACCEPT, Map.of("agreed", true, "reason", "broken"));
        })
        .build();
  }

  private static String text(McpSchema.CallToolResult result) {
    return ((McpSchema.TextContent) result.content().getFirst()).text();
  }

  private void usesEverything(McpSyncClient client) {
    var greeting = client.initialize();
    assertThat(greeting.serverInfo().name()).isEqualTo("orders");
    assertThat(greeting.instructions()).startsWith("Look an order up");
    var names = client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
    assertThat(names).contains("find_order", "refund", "desk");
    var found =
        client.callTool(
            new McpSchema.CallToolRequest("find_order", Map.<String, Object>of("order", "4711")));
    assertThat(text(found)).startsWith("Order 4711");
    var refund =
        client.callTool(
            new McpSchema.CallToolRequest(
                "refund", Map.<String, Object>of("order", "4711", "cents", 3000)));
    assertThat(refund.isError()).isFalse();
    assertThat(String.valueOf(refund.structuredContent())).contains("3000").contains("broken");
    assertThat(asked).singleElement().asString().contains("4711");
    client.ping();
  }

  @Test
  void it_uses_a_server_that_is_a_process() {
    var words = ServerProcess.words(DeskProgram.class.getName(), folder.toString());
    var parameters =
        ServerParameters.builder(words.getFirst()).args(words.subList(1, words.size())).build();
    try (var client = client(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()))) {
      usesEverything(client);
    }
  }

  @Test
  void it_uses_a_server_by_HTTP() throws Exception {
    var host =
        DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .resource(ServedResource.of("notes://1", "one", "text/plain", _ -> Content.of("One.")))
            .prompt(
                ServedPrompt.of("hello", "Greets.", _ -> List.of(ServedPrompt.Line.user("Hello."))))
            .build();
    try (var server = host.start(0);
        var client =
            client(
                HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + server.port())
                    .endpoint("/mcp")
                    .build())) {
      usesEverything(client);
      var resource = client.listResources().resources().getFirst();
      var contents = client.readResource(resource).contents().getFirst();
      assertThat(((McpSchema.TextResourceContents) contents).text()).isEqualTo("One.");
      assertThat(client.listPrompts().prompts()).hasSize(1);
    }
  }
}
