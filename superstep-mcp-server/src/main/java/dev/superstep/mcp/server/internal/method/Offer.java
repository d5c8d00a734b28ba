package dev.superstep.mcp.server.internal.method;

import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.ServedTool;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tools, resources and prompts of a server at a moment. Immutable.
///
/// @param tools by name, in order
public record Offer(
    Map<String, ServedTool> tools, List<ServedResource> resources, List<ServedPrompt> prompts) {
  public Offer {
    tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
    resources = List.copyOf(resources);
    prompts = List.copyOf(prompts);
  }

  public Optional<ServedTool> tool(String name) {
    return Optional.ofNullable(tools.get(name));
  }

  boolean mayAsk() {
    return tools.values().stream().anyMatch(ServedTool::mayAsk);
  }

  boolean hasTasks() {
    return tools.values().stream().anyMatch(ServedTool::isStored);
  }
}
