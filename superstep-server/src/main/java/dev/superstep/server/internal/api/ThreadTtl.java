package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The time that threads live: `{ttl, strategy}` with minutes, or the minutes alone.
final class ThreadTtl {
  private static final double MINUTES_MAX = Duration.ofDays(36_500).toMinutes();

  private ThreadTtl() {}

  private enum Strategy {
    DELETE,
    KEEP_LATEST
  }

  /// A thread that is due for removal after that time; unchanged if nothing is said.
  static Document set(ServiceTransaction in, Document thread, JsonNode ttl) {
    if (Fields.isNone(ttl)) return thread;
    var minutes = ttl.isObject() ? ttl.path("ttl") : ttl;
    if (!minutes.isNumber() || minutes.doubleValue() <= 0 || minutes.doubleValue() > MINUTES_MAX) {
      throw Fields.bad("ttl", "must be a number of minutes above 0");
    }
    var strategy = Strategy.DELETE;
    if (ttl.isObject()) {
      strategy = Fields.of(ttl).choice("strategy", Strategy.values()).orElse(Strategy.DELETE);
    }
    var body = ThreadDocuments.body(thread);
    var kept = body.putObject("ttl");
    kept.set("ttl", minutes);
    kept.put("strategy", strategy.name().toLowerCase(Locale.ROOT));
    long millis = Math.round(minutes.doubleValue() * 60_000);
    return thread.body(Trees.json(body, "thread")).dueAt(in.now().plusMillis(millis));
  }

  /// The time to live of a thread, for clients that ask for it.
  static Optional<ObjectNode> json(Document thread) {
    if (!(ThreadDocuments.body(thread).path("ttl") instanceof ObjectNode kept)) {
      return Optional.empty();
    }
    double minutes = kept.path("ttl").asDouble(0);
    // It begins with the last use.
    var end = thread.updated().plusMillis(Math.round(minutes * 60_000));
    var json = JsonNodeFactory.instance.objectNode();
    json.put("strategy", kept.path("strategy").asString("delete"));
    json.set("ttl_minutes", kept.path("ttl"));
    return Optional.of(json.put("expires_at", end.toString()));
  }
}
