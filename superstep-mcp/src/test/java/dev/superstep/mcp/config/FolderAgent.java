package dev.superstep.mcp.config;

import dev.superstep.mcp.McpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The program of the guide: the servers that a folder names, as far as a person confirms them.
final class FolderAgent {
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
}
