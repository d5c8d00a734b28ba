package dev.superstep.model.wire;

import dev.superstep.model.ChatRequest;
import dev.superstep.model.ToolSpec;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Leaves out what a conversation says of searches for tools that the request does not have: the
/// API refuses references without a tool, and searches without the tool that searches. All else
/// stays as the vendor sent it. Immutable.
///
/// @param tools the names of the request's tools
/// @param searches whether the request has the tool that searches
record FoundReferences(Set<String> tools, boolean searches) {
  static final FoundReferences NONE = new FoundReferences(Set.of(), false);

  private static final String SEARCH = "tool_search_tool";
  private static final String RESULT = "tool_search_tool_result";

  static FoundReferences of(ChatRequest request) {
    boolean searches = false;
    for (var tool : request.hostedTools("anthropic")) {
      searches |= type(Turns.read(tool.definition())).startsWith(SEARCH);
    }
    var names = request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
    return new FoundReferences(names, searches);
  }

  private static String type(JsonNode block) {
    return block.path("type").asString("");
  }

  /// The block as it may be sent; empty if it may not.
  Optional<JsonNode> known(JsonNode block) {
    boolean isResult = type(block).equals(RESULT);
    boolean isCall =
        type(block).equals("server_tool_use") && block.path("name").asString("").startsWith(SEARCH);
    if (!isResult && !isCall) return Optional.of(block);
    if (!searches) return Optional.empty();
    if (isResult && block.path("content").path("tool_references") instanceof ArrayNode found) {
      for (int i = found.size() - 1; i >= 0; i--) {
        if (!tools.contains(found.get(i).path("tool_name").asString(""))) found.remove(i);
      }
    }
    return Optional.of(block);
  }
}
