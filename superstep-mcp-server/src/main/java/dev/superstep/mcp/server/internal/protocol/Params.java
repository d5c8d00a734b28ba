package dev.superstep.mcp.server.internal.protocol;

import dev.superstep.mcp.internal.wire.Wire;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the parameters of requests, and writes pages of lists.
public final class Params {
  private static final String CURSOR = "after-";

  private Params() {}

  /// A text that must be there.
  ///
  /// @throws RpcFailure if it is missing, empty or no text
  public static String required(JsonNode params, String field) throws RpcFailure {
    var value = params.path(field);
    if (!value.isString() || value.asString().isEmpty()) {
      throw RpcFailure.params("`" + field + "` must be a text.");
    }
    return value.asString();
  }

  /// The token by which the client wants to hear of progress, if it does.
  public static @Nullable JsonNode progressToken(JsonNode params) {
    var token = params.path("_meta").path("progressToken");
    return token.isString() || token.isIntegralNumber() ? token : null;
  }

  /// A page of a list.
  ///
  /// @param params with the cursor, if it is not the first page
  public static <T> ObjectNode page(
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
  public static int offset(JsonNode params) throws RpcFailure {
    var cursor = params.path("cursor");
    if (cursor.isMissingNode() || cursor.isNull()) return 0;
    var text = cursor.asString("");
    if (!text.matches(CURSOR + "\\d{1,8}")) {
      throw RpcFailure.params("There is no page with this cursor.");
    }
    return Integer.parseInt(text.substring(CURSOR.length()));
  }

  /// The cursor of the page after so many entries.
  public static String cursor(int offset) {
    return CURSOR + offset;
  }
}
