package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The part of a list that a client wants. Immutable.
///
/// @param select the fields that it wants of each; empty for all
record Page(int limit, int offset, List<String> select) {
  private static final int LIMIT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int OFFSET_MAX = 10_000_000;

  static Page of(Fields fields) {
    return new Page(
        fields.number("limit", 0, LIMIT_MAX).orElse(LIMIT),
        fields.number("offset", 0, OFFSET_MAX).orElse(0),
        fields.texts("select"));
  }

  /// The number of items to ask for: one more than are wanted, to see whether there are more.
  int more() {
    return limit + 1;
  }

  /// The answer with what was found, of which there may be one more than wanted.
  Reply reply(List<ObjectNode> found) {
    boolean hasMore = found.size() > limit;
    var list = JsonNodeFactory.instance.arrayNode();
    for (var one : found.subList(0, Math.min(limit, found.size()))) list.add(selected(one));
    var reply = Reply.ok(list).with("X-Pagination-Total", String.valueOf(offset + found.size()));
    return hasMore ? reply.with("X-Pagination-Next", String.valueOf(offset + limit)) : reply;
  }

  private ObjectNode selected(ObjectNode whole) {
    if (select.isEmpty()) return whole;
    var left = new ArrayList<>(whole.propertyNames());
    left.removeAll(select);
    return whole.remove(left);
  }
}
