package dev.superstep.server.internal.schedule;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A search for schedules, as a client asks for it. Immutable.
///
/// @param select the fields that are wanted; empty for all
record CronSearch(DocumentQuery query, Set<String> select) {
  private static final int LIMIT = 10;
  private static final int LIMIT_MAX = 1_000;

  CronSearch {
    select = Set.copyOf(select);
  }

  /// Reads a search.
  ///
  /// @param metadata that of the body with what the principal is limited to
  /// @throws HttpFailure 422 if something about it is wrong
  static CronSearch of(JsonNode body, ObjectNode metadata) {
    var query = DocumentQuery.of(DocumentKind.CRON);
    var thread = Cron.text(body, "thread_id");
    if (thread.isPresent()) query = query.under(thread.get());
    var assistant = Cron.text(body, "assistant_id");
    if (assistant.isPresent()) query = query.labelled(assistant.get());
    if (!body.path("enabled").isMissingNode() && !body.path("enabled").isNull()) {
      query = query.in(Cron.flag(body, "enabled", true) ? Cron.ENABLED : Cron.DISABLED);
    }
    query =
        query
            .having(Trees.json(metadata, "metadata"))
            .by(order(Cron.text(body, "sort_by").orElse("created_at")), isDescending(body))
            .limit(number(body, "limit", LIMIT, LIMIT_MAX))
            .offset(number(body, "offset", 0, Integer.MAX_VALUE));
    return new CronSearch(query, selected(body.path("select")));
  }

  private static boolean isDescending(JsonNode body) {
    return switch (Cron.text(body, "sort_order").orElse("desc")) {
      case "asc" -> false;
      case "desc" -> true;
      default -> throw new HttpFailure(422, "`sort_order` must be `asc` or `desc`.");
    };
  }

  private static Order order(String name) {
    return switch (name) {
      case "cron_id" -> Order.ID;
      case "assistant_id" -> Order.LABEL;
      case "thread_id" -> Order.PARENT;
      case "created_at" -> Order.CREATED;
      case "updated_at" -> Order.UPDATED;
      case "next_run_date" -> Order.DUE;
      default ->
          throw new HttpFailure(
              422,
              "`sort_by` must be `cron_id`, `assistant_id`, `thread_id`, `created_at`,"
                  + " `updated_at` or `next_run_date`.");
    };
  }

  private static int number(JsonNode body, String name, int otherwise, int most) {
    var value = body.path(name);
    if (value.isMissingNode() || value.isNull()) return otherwise;
    if (!value.isInt() || value.intValue() < 0 || value.intValue() > most) {
      throw new HttpFailure(422, "`" + name + "` must be a number from 0 to " + most + ".");
    }
    return value.intValue();
  }

  private static Set<String> selected(JsonNode names) {
    var selected = new LinkedHashSet<String>();
    for (var name : names) {
      if (!name.isString()) throw new HttpFailure(422, "`select` must be a list of names.");
      selected.add(name.stringValue());
    }
    return selected;
  }

  /// The fields of a schedule that are wanted.
  ObjectNode cut(ObjectNode cron) {
    if (!select.isEmpty()) cron.retain(select);
    return cron;
  }
}
