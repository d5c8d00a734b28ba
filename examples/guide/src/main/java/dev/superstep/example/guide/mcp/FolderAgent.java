package dev.superstep.example.guide.mcp;

import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.config.McpFile;
import dev.superstep.mcp.config.McpTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The servers that a folder names, as far as a person confirms them. No server is started here.
public final class FolderAgent {
  private FolderAgent() {}

  static List<McpServer> servers(Path folder, Path settings, Predicate<List<String>> agrees)
      throws IOException {
    var file = folder.resolve(".mcp.json");
    var trust = McpTrust.in(settings);
    var servers = new ArrayList<McpServer>();
    for (var entry : McpFile.read(Files.readString(file)).entries()) {
      if (!trust.isConfirmed(file, entry)) {
        var digest = McpTrust.digest(file, entry);
        if (!agrees.test(entry.lines(folder))) continue;
        trust.confirm(file, entry, digest);
      }
      servers.add(entry.server(folder, System::getenv).pins(trust.pins(file, entry)));
    }
    return servers;
  }

  public static void main(String[] args) throws IOException {
    var temporary = Files.createTempDirectory("servers").toRealPath();
    var folder = Files.createDirectory(temporary.resolve("project"));
    Files.writeString(
        folder.resolve(".mcp.json"),
        """
        {"mcpServers": {"files": {
          "command": "npx",
          "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]
        }}}
        """);

    for (int i = 1; i <= 2; i++) {
      var servers = servers(folder, temporary.resolve("settings"), FolderAgent::asks);
      System.out.println("start " + i + ": " + servers.size() + " server");
    }
  }

  /// In place of a person, who reads the lines and agrees. The path of the folder is left out here.
  private static boolean asks(List<String> lines) {
    lines.stream().filter(line -> !line.startsWith("in: ")).forEach(System.out::println);
    return true;
  }
}
