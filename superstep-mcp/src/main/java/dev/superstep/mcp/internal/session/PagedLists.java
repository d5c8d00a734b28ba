package dev.superstep.mcp.internal.session;

import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the lists of a server, page by page. Immutable.
///
/// @param entriesMax that are taken from a list
/// @param pagesMax that are read of a list
public record PagedLists(Requests requests, int entriesMax, int pagesMax) {
  /// Sends a request that is no call of a tool.
  public interface Requests {
    /// Sends it, and waits for its result.
    JsonNode send(String method, ObjectNode params) throws InterruptedException, RequestFailed;
  }

  /// All entries of a list.
  ///
  /// @param field in which the result has them
  /// @throws RequestFailed if there are too many, or no end of pages
  public List<JsonNode> all(String method, String field)
      throws InterruptedException, RequestFailed {
    var all = new ArrayList<JsonNode>();
    var cursors = new HashSet<String>();
    var cursor = "";
    for (int page = 0; page < pagesMax; page++) {
      var params = Wire.object();
      if (!cursor.isEmpty()) params.put("cursor", cursor);
      var result = requests.send(method, params);
      for (var one : result.path(field)) {
        if (all.size() == entriesMax) {
          throw misbehaved("lists more than %d %s.".formatted(entriesMax, field));
        }
        all.add(one);
      }
      var next = result.path("nextCursor");
      if (!next.isString() || next.asString().isEmpty()) return List.copyOf(all);
      cursor = next.asString();
      if (!cursors.add(cursor))
        throw misbehaved("lists the same page of %s twice.".formatted(field));
    }
    throw misbehaved("lists more than %d pages of %s.".formatted(pagesMax, field));
  }

  private static RequestFailed misbehaved(String how) {
    return new RequestFailed(new RequestFailed.Misbehaved(how));
  }
}
