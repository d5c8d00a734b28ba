package dev.superstep.mcp.server.internal.method;

import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.options.TaskUse;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tools, resources and prompts of a server at a moment. Immutable.
///
/// @param tools by name, in order
/// @param asking the prompts that ask, by name
public record Offer(
    Map<String, ServedTool> tools,
    List<ServedResource> resources,
    List<ServedPrompt> prompts,
    Map<String, AskingPrompt> asking) {
  public Offer {
    tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
    resources = List.copyOf(resources);
    prompts = List.copyOf(prompts);
    asking = Map.copyOf(asking);
  }

  /// An offer.
  ///
  /// @param most time of a request for a prompt that asks
  public static Offer of(
      Map<String, ServedTool> tools,
      List<ServedResource> resources,
      List<ServedPrompt> prompts,
      Duration most) {
    var asking = new HashMap<String, AskingPrompt>();
    for (var prompt : prompts) {
      if (prompt.asking().isPresent()) asking.put(prompt.name(), AskingPrompt.of(prompt, most));
    }
    return new Offer(tools, resources, prompts, asking);
  }

  /// The tool of this name.
  public Optional<ServedTool> tool(String name) {
    return Optional.ofNullable(tools.get(name));
  }

  /// The prompt of this name, if it is one that asks.
  Optional<AskingPrompt> asking(String name) {
    return Optional.ofNullable(asking.get(name));
  }

  /// The tool of a stored call: one of the tools, or that of a prompt.
  public Optional<ServedTool> stored(String name) {
    var tool = tool(name);
    if (tool.isPresent()) return tool;
    return asking.values().stream()
        .map(AskingPrompt::tool)
        .filter(one -> one.name().equals(name))
        .findFirst();
  }

  boolean mayAsk() {
    return tools.values().stream().anyMatch(ServedTool::mayAsk) || !asking.isEmpty();
  }

  boolean hasTasks() {
    return tools.values().stream().anyMatch(one -> one.tasks() != TaskUse.NEVER);
  }
}
