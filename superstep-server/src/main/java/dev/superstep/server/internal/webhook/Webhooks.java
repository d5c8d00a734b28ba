package dev.superstep.server.internal.webhook;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.net.OutboundHttp;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Webhooks of runs: each is written down when its run ends, as a part of that transaction, so that
/// it is sent if and only if the run has ended. [WebhookSender] sends it. Safe for many threads.
public final class Webhooks {
  static final String TOPIC = "deliveries";
  static final String HEADERS = "headers";
  static final String PENDING = "pending";
  static final String DELIVERED = "delivered";
  static final String FAILED = "failed";

  /// The time for which the outcome of a delivery can be looked up.
  static final Duration KEPT = Duration.ofDays(7);

  private static final int URL_LENGTH_MAX = 4_096;

  private final WebhookOptions options;

  public Webhooks(WebhookOptions options) {
    this.options = options;
  }

  /// Checks the webhook in the body of a request, if there is one, as far as that is possible
  /// without looking up its host.
  ///
  /// @throws HttpFailure 422 if it can never be called
  public static Optional<String> asked(JsonNode request) {
    var url = request.path("webhook");
    if (url.isMissingNode() || url.isNull()) return Optional.empty();
    if (!url.isString() || url.stringValue().length() > URL_LENGTH_MAX) {
      throw new HttpFailure(422, "`webhook` must be a URL.");
    }
    try {
      OutboundHttp.check(url.stringValue());
      return Optional.of(url.stringValue());
    } catch (IllegalArgumentException e) {
      throw new HttpFailure(422, "`webhook` is no usable URL: " + e.getMessage() + ".");
    }
  }

  /// Writes down that a run has ended and its webhook is to be called.
  ///
  /// @param url as [#asked] has checked it
  public void add(ServiceTransaction in, String url, EndedRun run) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("url", url);
    body.put("attempts", 0);
    body.set("payload", payload(run));
    var document =
        Document.of(DocumentKind.DELIVERY, "msg_" + UUID.randomUUID(), in.now())
            .under(run.run().path("run_id").asString())
            .in(PENDING)
            .dueAt(in.now())
            .body(Trees.json(body, "webhook"));
    in.insert(document);
    in.signal(TOPIC);
  }

  /// A call in the form of a protocol beside the server's. Immutable.
  ///
  /// @param id the same one is called once
  /// @param parent all calls of a parent can be dropped
  public record Notice(String id, String parent, String url, Map<String, String> headers) {}

  /// Writes down that a webhook is to be called.
  ///
  /// @return false if that was written down before
  public static boolean add(ServiceTransaction in, Notice notice, JsonNode payload) {
    var body = JsonNodeFactory.instance.objectNode().put("url", notice.url()).put("attempts", 0);
    var headers = body.putObject(HEADERS);
    notice.headers().forEach(headers::put);
    body.set("payload", payload);
    var document =
        Document.of(DocumentKind.DELIVERY, notice.id(), in.now())
            .under(notice.parent())
            .in(PENDING)
            .dueAt(in.now())
            .body(Trees.json(body, "webhook"));
    boolean isNew = in.insert(document);
    if (isNew) in.signal(TOPIC);
    return isNew;
  }

  /// Drops the calls of a parent that are still to be made, and the contents of those that failed.
  public static void drop(ServiceTransaction in, String parent) {
    var kept = DocumentQuery.of(DocumentKind.DELIVERY).under(parent).in(PENDING, FAILED);
    for (var delivery : in.search(kept)) in.delete(DocumentKind.DELIVERY, delivery.id());
  }

  /// The deliveries that have ended and need not be kept any longer, when they are due.
  public static DocumentQuery ended() {
    return DocumentQuery.of(DocumentKind.DELIVERY).in(DELIVERED, FAILED);
  }

  private ObjectNode payload(EndedRun run) {
    var payload = run.run().deepCopy();
    put(payload, "run_started_at", run.started());
    payload.put("run_ended_at", run.ended().toString());
    payload.set("values", run.values());
    payload.set("error", run.error().orElse(NullNode.instance));
    if (size(payload) > options.bytes()) {
      payload.set("values", NullNode.instance);
      payload.put("values_omitted", true);
    }
    // The input of a run may be as large as its values.
    if (size(payload) > options.bytes()) payload.remove("kwargs");
    return payload;
  }

  private static int size(ObjectNode payload) {
    return payload.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static void put(ObjectNode json, String name, Optional<Instant> time) {
    if (time.isPresent()) json.put(name, time.get().toString());
    else json.set(name, NullNode.instance);
  }
}
