package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.queue.RunListener;
import dev.superstep.server.internal.webhook.EndedRun;
import dev.superstep.server.internal.webhook.Webhooks;
import dev.superstep.service.Document;
import dev.superstep.service.ServiceTransaction;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/// Notes the webhook of a run with its end. Safe for many threads.
public final class RunWebhooks implements RunListener {
  private final Webhooks webhooks;

  public RunWebhooks(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  @Override
  public void ended(
      ServiceTransaction in, Document run, Optional<JsonNode> values, Optional<JsonNode> error) {
    var body = ThreadDocuments.body(run);
    var url = body.path("kwargs").path("webhook").asString("");
    if (url.isEmpty()) return;
    var started = Optional.of(body.path("started_at").asString("")).filter(at -> !at.isEmpty());
    webhooks.add(
        in,
        url,
        new EndedRun(
            RunDocuments.json(run),
            started.map(Instant::parse),
            in.now(),
            values.orElse(NullNode.instance),
            error));
  }
}
