package dev.superstep.mcp;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpOAuth;
import dev.superstep.mcp.oauth.McpTokens;
import dev.superstep.model.ChatModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// The program of the guide: an agent that keeps notes by the MCP server for file systems.
final class NotesAgent {
  private NotesAgent() {}

  static McpServer files(Path notes, Path pins, String... words) {
    return McpServer.stdio("files", notes, words)
        .only("read_text_file", "write_file", "list_directory")
        .policy("read_text_file", ToolPolicy.readOnly())
        .policy("list_directory", ToolPolicy.readOnly())
        .policy("write_file", ToolPolicy.of(SideEffect.WRITES_FILES).idempotent())
        .pins(ToolPins.in(pins));
  }

  static AgentResult<String> ask(McpServer files, ChatModel model, String question)
      throws InterruptedException {
    try (var connection = files.connect()) {
      var agent =
          Agent.named("notes")
              .model(model)
              .instructions("Keep the notes in the folder.")
              .tools(Tools.of(connection.tools()))
              .gate(ToolGate.strict())
              .build();
      return agent.run(question);
    }
  }

  static McpServer press(URI address) {
    return McpServer.http("press", address).tasks(Duration.ofHours(8)).asking();
  }

  static McpServer tracker(URI address, McpConsent consent, Path file, KeyRing keys) {
    var tokens = McpTokens.in(file, keys);
    return McpServer.http("tracker", address)
        .credentials(McpOAuth.of(address, consent).tokens(tokens));
  }
}
