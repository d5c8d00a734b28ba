package dev.superstep.mcp.server;

import dev.superstep.mcp.internal.wire.Wire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools, resources and prompts of a server at a moment. Immutable.
///
/// @param tools by name, in order
record Offer(
    Map<String, ServedTool> tools, List<ServedResource> resources, List<ServedPrompt> prompts) {
  private static final String CURSOR = "after-";

  Offer {
    resources = List.copyOf(resources);
    prompts = List.copyOf(prompts);
  }

  Optional<ServedTool> tool(String name) {
    return Optional.ofNullable(tools.get(name));
  }

  boolean mayAsk() {
    return tools.values().stream().anyMatch(ServedTool::mayAsk);
  }

  boolean hasTasks() {
    return tools.values().stream().anyMatch(ServedTool::isStored);
  }

  /// A page of a list.
  ///
  /// @param params with the cursor, if it is not the first page
  static <T> ObjectNode page(
      String field, List<T> all, int size, JsonNode params, Function<T, ObjectNode> form)
      throws RpcFailure {
    int from = offset(params);
    if (from > all.size()) throw RpcFailure.params("There is no page with this cursor.");
    int to = Math.min(all.size(), from + size);
    var json = Wire.object();
    var list = json.putArray(field);
    for (var one : all.subList(from, to)) list.add(form.apply(one));
    if (to < all.size()) json.put("nextCursor", CURSOR + to);
    return json;
  }

  /// The number of entries before a page.
  static int offset(JsonNode params) throws RpcFailure {
    var cursor = params.path("cursor");
    if (cursor.isMissingNode() || cursor.isNull()) return 0;
    var text = cursor.asString("");
    if (!text.matches(CURSOR + "\\d{1,8}")) {
      throw RpcFailure.params("There is no page with this cursor.");
    }
    return Integer.parseInt(text.substring(CURSOR.length()));
  }

  static String cursor(int offset) {
    return CURSOR + offset;
  }
}
