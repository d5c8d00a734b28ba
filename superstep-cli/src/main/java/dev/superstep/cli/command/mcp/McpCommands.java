package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The commands of `superstep mcp`.
public final class McpCommands {
  private McpCommands() {}

  /// Puts `serve` between `mcp` and a folder or a graph as text, so that the configuration of a
  /// client may leave it out. The name of a command is always the command.
  public static String[] withServe(Host host, String... typed) {
    boolean isPlace =
        typed.length > 1
            && typed[0].equals("mcp")
            && !typed[1].startsWith("-")
            && !of(host).containsKey(typed[1])
            && Files.exists(host.path(typed[1]));
    if (!isPlace) return typed;
    var words = new ArrayList<>(List.of(typed));
    words.add(1, "serve");
    return words.toArray(String[]::new);
  }

  /// Makes them, by their names, when they are asked for.
  public static Map<String, Function<List<String>, Object>> of(Host host) {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("list", _ -> new McpListCommand(host));
    all.put("trust", _ -> new McpTrustCommand(host));
    all.put("untrust", _ -> new McpUntrustCommand(host));
    all.put("tools", _ -> new McpToolsCommand(host));
    all.put("call", _ -> new McpCallCommand(host));
    all.put("resources", _ -> new McpResourcesCommand(host));
    all.put("read", _ -> new McpReadCommand(host));
    all.put("prompts", _ -> new McpPromptsCommand(host));
    all.put("serve", _ -> new McpServeCommand(host));
    return all;
  }
}
