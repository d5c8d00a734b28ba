package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Fields;
import dev.superstep.service.DocumentQuery;
import java.util.Map;

/// The orders of lists: `sort_by` and `sort_order`.
final class Orders {
  private enum Direction {
    ASC,
    DESC
  }

  private Orders() {}

  /// A query in the order that a client wants; the newest first if it says nothing.
  ///
  /// @param known the values of `sort_by`
  static DocumentQuery by(
      DocumentQuery query, Fields fields, Map<String, DocumentQuery.Order> known) {
    var by = fields.text("sort_by");
    var order = DocumentQuery.Order.CREATED;
    if (by.isPresent()) {
      var named = known.get(by.get());
      if (named == null) {
        throw Fields.bad(
            "sort_by", "must be one of " + known.keySet() + ", was `" + by.get() + "`");
      }
      order = named;
    }
    var direction = fields.choice("sort_order", Direction.values()).orElse(Direction.DESC);
    return query.by(order, direction == Direction.DESC);
  }
}
