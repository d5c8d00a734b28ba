package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;

/// `superstep mcp`.
@Command(name = "mcp", header = "Serves programs to clients of the Model Context Protocol.")
final class McpCommands extends CommandGroup {
  /// Its commands by name.
  static Map<String, Function<List<String>, Object>> all(Host host) {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("serve", _ -> new McpServeCommand(host));
    return all;
  }
}
