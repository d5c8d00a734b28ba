package dev.superstep.server.internal.api;

import dev.superstep.json.Json;
import dev.superstep.server.extension.RunChange;
import dev.superstep.server.extension.RunNotices;
import dev.superstep.server.extension.RunTopic;
import dev.superstep.server.extension.Subscription;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.RunListener;
import dev.superstep.server.internal.webhook.Webhooks;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceTransaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// The webhooks that extensions keep for runs: when such a run begins or ends, what they are sent
/// is written down in the same transaction. Safe for many threads.
public final class Subscribers implements RunListener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final String HEADERS = "headers";
  private static final int RUNS_MAX = 1_000;

  private final List<RunNotices> notices;
  private final WebhookOptions options;
  private final RunListener next;

  /// @param next hears of runs, too
  public Subscribers(List<RunNotices> notices, WebhookOptions options, RunListener next) {
    this.notices = List.copyOf(notices);
    this.options = options;
    this.next = next;
  }

  // --- Runs ---

  @Override
  public void began(ServiceTransaction in, Document run) {
    changed(in, run, "/began", Optional.empty());
    next.began(in, run);
  }

  @Override
  public boolean needsState(Document run) {
    var metadata = ThreadDocuments.metadata(run);
    boolean isTold = notices.stream().anyMatch(one -> metadata.path(one.field()).isString());
    return isTold || next.needsState(run);
  }

  @Override
  public void ended(
      ServiceTransaction in, Document run, Optional<JsonNode> values, Optional<JsonNode> error) {
    changed(in, run, "/ended", values);
    next.ended(in, run, values, error);
  }

  private void changed(
      ServiceTransaction in, Document run, String what, Optional<JsonNode> values) {
    var metadata = ThreadDocuments.metadata(run);
    for (var from : notices) {
      var value = metadata.path(from.field()).asString("");
      if (value.isEmpty()) continue;
      var topic = new RunTopic(from.field(), value);
      var subscribed = of(in, run.parent(), topic);
      if (subscribed.isEmpty()) continue;
      var notice = notice(from, change(in, run, topic, values));
      if (notice.isEmpty()) continue;
      for (var one : subscribed) {
        var to = new Recipient(run.parent(), topic, one);
        deliver(in, to, run.id() + what, notice.get());
      }
    }
  }

  private static RunChange change(
      ServiceTransaction in, Document run, RunTopic topic, Optional<JsonNode> values) {
    var runs = new ArrayList<Json>();
    runs.add(Trees.json(RunDocuments.json(run), "run"));
    for (var other : in.search(runs(run.parent(), topic).limit(RUNS_MAX))) {
      if (!other.id().equals(run.id())) runs.add(Trees.json(RunDocuments.json(other), "run"));
    }
    var thread = ThreadDocuments.json(ThreadDocuments.find(in, run.parent()));
    return new RunChange(
        runs,
        Trees.json(thread, "thread"),
        values.map(all -> Trees.json(all, "values")).orElseGet(Json::ofNull));
  }

  private static DocumentQuery runs(String thread, RunTopic topic) {
    var part = Trees.object().put(topic.field(), topic.value());
    return DocumentQuery.of(DocumentKind.RUN)
        .under(thread)
        .having(Trees.json(part, "metadata"))
        .by(Order.CREATED, true);
  }

  /// A failure of an extension must not keep a run from its end.
  private Optional<JsonNode> notice(RunNotices from, RunChange change) {
    try {
      var whole = from.notice(change).map(Trees::of);
      boolean isLarge = whole.filter(notice -> size(notice) > options.bytes()).isPresent();
      return isLarge ? from.notice(change.withoutValues()).map(Trees::of) : whole;
    } catch (RuntimeException e) {
      LOG.error("The notice of a run for {} cannot be made; it is left out", from.field(), e);
      return Optional.empty();
    }
  }

  private static int size(JsonNode notice) {
    return notice.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  // --- What is kept ---

  /// Returns whether a run of a topic waits or is at work.
  public static boolean isAtWork(ServiceTransaction in, String thread, RunTopic topic) {
    var active = runs(thread, topic).in(RunStatus.PENDING, RunStatus.RUNNING);
    return !in.search(active.limit(1)).isEmpty();
  }

  /// The webhooks of a topic, in the order of their ids.
  public static List<Subscription> of(ServiceTransaction in, String thread, RunTopic topic) {
    var query =
        DocumentQuery.of(DocumentKind.SUBSCRIPTION)
            .under(thread)
            .labelled(topic.name())
            .by(Order.ID, false);
    return in.search(query).stream().map(Subscribers::read).toList();
  }

  private static Subscription read(Document document) {
    var body = ThreadDocuments.body(document);
    var headers = new LinkedHashMap<String, String>();
    body.path(HEADERS).forEachEntry((name, value) -> headers.put(name, value.asString("")));
    return new Subscription(
        body.path("id").asString(""),
        body.path("url").asString(""),
        headers,
        Trees.json(body.path("settings"), "settings"));
  }

  /// Saves one, in place of one with its id.
  ///
  /// @throws HttpFailure 422 if the topic has `most` others
  public static void put(
      ServiceTransaction in, String thread, RunTopic topic, Subscription one, int most) {
    var others = of(in, thread, topic).stream().filter(other -> !other.id().equals(one.id()));
    if (others.count() >= most) {
      throw new HttpFailure(
          422, "There are " + most + " webhooks already, which is the most. Delete one first.");
    }
    var body = Trees.object().put("id", one.id()).put("url", one.url());
    var headers = body.putObject(HEADERS);
    one.headers().forEach(headers::put);
    body.set("settings", Trees.of(one.settings()));
    var document =
        Document.of(DocumentKind.SUBSCRIPTION, id(thread, topic, one.id()), in.now())
            .under(thread)
            .labelled(topic.name())
            .body(Trees.json(body, "webhook"));
    if (!in.insert(document)) in.replace(document);
  }

  private static String id(String thread, RunTopic topic, String id) {
    return thread + "/" + topic.name() + "/" + id;
  }

  /// Deletes one, with what it is still to be sent.
  ///
  /// @return false if there was none
  public static boolean remove(ServiceTransaction in, String thread, RunTopic topic, String id) {
    var name = id(thread, topic, id);
    Webhooks.drop(in, name);
    return in.delete(DocumentKind.SUBSCRIPTION, name);
  }

  /// Deletes all of a thread, with the thread, and what they are still to be sent of it.
  public static void delete(ServiceTransaction in, String thread) {
    for (var one : in.search(DocumentQuery.of(DocumentKind.SUBSCRIPTION).under(thread))) {
      Webhooks.drop(in, one.id());
      in.delete(DocumentKind.SUBSCRIPTION, one.id());
    }
  }

  /// A webhook with the runs that it is for. Immutable.
  public record Recipient(String thread, RunTopic topic, Subscription to) {}

  /// Writes down a notice, once for its key.
  ///
  /// @return false if it was written down before
  public static boolean deliver(
      ServiceTransaction in, Recipient recipient, String key, JsonNode body) {
    var to = recipient.to();
    var parent = id(recipient.thread(), recipient.topic(), to.id());
    var name = (parent + "/" + key + "/" + to.url()).getBytes(StandardCharsets.UTF_8);
    var id = "msg_" + UUID.nameUUIDFromBytes(name);
    var notice = new Webhooks.Notice(id, parent, to.url(), to.headers());
    return Webhooks.add(in, notice, body);
  }
}
