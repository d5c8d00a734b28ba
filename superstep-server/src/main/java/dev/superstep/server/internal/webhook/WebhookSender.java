package dev.superstep.server.internal.webhook;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.server.internal.net.ForbiddenAddress;
import dev.superstep.server.internal.net.OutboundHttp;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Sends webhooks. A process that takes one has a lease on it: if it dies, another one sends it
/// again, under the same id. A receiver that fails is asked again after longer and longer times,
/// until the attempts are used up. Safe for many threads.
public final class WebhookSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final DocumentQuery PENDING =
      DocumentQuery.of(DocumentKind.DELIVERY).in(Webhooks.PENDING).by(Order.DUE, false);
  private static final int AT_ONCE_MAX = 16;
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
  // Beyond the time of an attempt, for the store to answer.
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
  private static final int STATUS_GONE = 410;

  /// After the first, second and further attempts; the last one counts for all later ones.
  private static final List<Duration> BACK_OFF =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5));

  private final ServiceStore store;
  private final OutboundHttp http;
  private final WebhookOptions options;
  private final Semaphore slots = new Semaphore(AT_ONCE_MAX);
  private final ExecutorService deliveries =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("superstep-webhook-", 0).factory());
  private final Thread thread;

  /// Not yet at work.
  public WebhookSender(ServiceStore store, OutboundHttp http, WebhookOptions options) {
    this.store = store;
    this.http = http;
    this.options = options;
    thread = Thread.ofVirtual().name("superstep-webhooks").unstarted(this::serve);
  }

  /// Begins to look for what is to be sent.
  public void start() {
    thread.start();
  }

  private void serve() {
    try (var watch = store.watch(Webhooks.TOPIC)) {
      while (!Thread.interrupted()) watch.await(sendAndPause());
    } catch (InterruptedException | RejectedExecutionException _) {
      // It was closed.
    }
  }

  private Duration sendAndPause() throws InterruptedException {
    // Waits for a slot, so that what is claimed is sent at once.
    slots.acquire();
    slots.release();
    try {
      for (var claimed : claim(Math.max(1, slots.availablePermits()))) {
        slots.acquire();
        deliveries.execute(() -> deliverInSlot(claimed));
      }
      return pause();
    } catch (StoreFailed e) {
      LOG.warn("The store does not answer; webhooks wait", e);
      return PAUSE_AFTER_FAILURE;
    } catch (RejectedExecutionException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("Webhooks cannot be looked at; that is tried again", e);
      return PAUSE_AFTER_FAILURE;
    }
  }

  private void deliverInSlot(Claimed claimed) {
    try {
      deliver(claimed);
    } catch (StoreFailed e) {
      LOG.warn("The store does not take the outcome of a webhook; it is sent again", e);
    } finally {
      slots.release();
    }
  }

  private Duration pause() {
    return store.read(in -> {
      var due = in.search(PENDING.limit(1)).stream().flatMap(one -> one.due().stream()).findFirst();
      var pause = due.map(time -> Duration.between(in.now(), time)).orElse(PAUSE_MAX);
      if (pause.isNegative()) return Duration.ZERO;
      return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
    });
  }

  /// Sends all that are due, one after the other.
  ///
  /// @return how many attempts that were
  public int sendDue() {
    int sent = 0;
    for (var claimed = claim(1); !claimed.isEmpty(); claimed = claim(1)) {
      claimed.forEach(this::deliver);
      sent += claimed.size();
    }
    return sent;
  }

  /// A delivery that this process has for a while.
  private record Claimed(String id, ObjectNode body, Instant now) {
    int attempt() {
      return body.path("attempts").asInt();
    }
  }

  private List<Claimed> claim(int most) {
    return store.write(in -> {
      in.lock(Webhooks.TOPIC);
      var now = in.now();
      var claimed = new ArrayList<Claimed>();
      for (var document : in.search(PENDING.dueBy(now).limit(most))) {
        var body = (ObjectNode) Trees.of(document.body());
        // Counted before it is sent: one that makes the process die is not sent for ever.
        body.put("attempts", body.path("attempts").asInt() + 1);
        var until = now.plus(options.longest()).plus(LEASE_MARGIN);
        in.replace(document.dueAt(until).updated(now).body(Trees.json(body, "webhook")));
        claimed.add(new Claimed(document.id(), body, now));
      }
      return claimed;
    });
  }

  private void deliver(Claimed claimed) {
    var failure = post(claimed);
    store.write(in -> {
      var document = in.find(DocumentKind.DELIVERY, claimed.id());
      // Somebody else has it if the lease was over.
      boolean isMine =
          document.isPresent()
              && document.get().status().equals(Webhooks.PENDING)
              && Trees.of(document.get().body()).path("attempts").asInt() == claimed.attempt();
      if (isMine) in.replace(ended(in, document.get(), claimed, failure));
      return true;
    });
  }

  /// Why an attempt failed.
  ///
  /// @param isFinal whether another one is of no use
  private record Failure(String why, boolean isFinal) {}

  private Optional<Failure> post(Claimed claimed) {
    var url = claimed.body().path("url").asString();
    var payload = (ObjectNode) claimed.body().path("payload").deepCopy();
    // Those of an extension have the form of its protocol.
    if (!claimed.body().has(Webhooks.HEADERS)) {
      payload.put("webhook_sent_at", claimed.now().toString());
    }
    var body = payload.toString().getBytes(StandardCharsets.UTF_8);
    var headers = Signature.headers(options.secrets(), claimed.id(), claimed.now(), body);
    claimed
        .body()
        .path(Webhooks.HEADERS)
        .forEachEntry((name, value) -> headers.put(name, value.asString("")));
    try {
      int status = http.post(url, headers, body, options.longest());
      if (status >= 200 && status < 300) return Optional.empty();
      return Optional.of(new Failure("it answered with status " + status, status == STATUS_GONE));
    } catch (ForbiddenAddress | IllegalArgumentException e) {
      return Optional.of(new Failure(String.valueOf(e.getMessage()), true));
    } catch (IOException e) {
      return Optional.of(new Failure(e.toString(), false));
    }
  }

  private Document ended(
      ServiceTransaction in, Document document, Claimed claimed, Optional<Failure> failure) {
    var body = claimed.body().deepCopy();
    if (failure.isEmpty()) {
      // What was sent is not needed again.
      body.remove("payload");
      body.remove(Webhooks.HEADERS);
      return document
          .in(Webhooks.DELIVERED)
          .dueAt(in.now().plus(Webhooks.KEPT))
          .updated(in.now())
          .body(Trees.json(body, "webhook"));
    }
    body.put("last_error", failure.get().why());
    var failed = document.updated(in.now()).body(Trees.json(body, "webhook"));
    if (failure.get().isFinal() || claimed.attempt() >= options.attempts()) {
      LOG.warn("The webhook {} is given up: {}", claimed.id(), failure.get().why());
      body.remove(Webhooks.HEADERS);
      return failed
          .body(Trees.json(body, "webhook"))
          .in(Webhooks.FAILED)
          .dueAt(in.now().plus(Webhooks.KEPT));
    }
    return failed.dueAt(in.now().plus(backOff(claimed)));
  }

  private static Duration backOff(Claimed claimed) {
    var base = BACK_OFF.get(Math.min(claimed.attempt(), BACK_OFF.size()) - 1);
    // Up to a fifth longer, so that those that failed together do not come back together.
    int share = Math.floorMod(claimed.id().hashCode(), 100);
    return base.plus(base.multipliedBy(share).dividedBy(500));
  }

  @Override
  public void close() {
    thread.interrupt();
    // Those that are being sent end within their time, or are sent again by another process.
    deliveries.shutdownNow();
  }
}
