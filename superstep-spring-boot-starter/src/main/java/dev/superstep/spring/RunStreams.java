package dev.superstep.spring;

import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Streams runs to browsers as server-sent events: [ClientEvent] has their names and data. A client
/// that goes away does not stop its run; it comes back with the id of the last event that it got.
/// Each client has a virtual thread, and a slow one makes nobody wait. Safe for many threads.
///
/// ```java
/// @GetMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
/// ResponseEntity<SseEmitter> again(
///     @PathVariable String chat,
///     @RequestHeader(name = "Last-Event-ID", required = false) String last) {
///   return streams.follow(chat, last);
/// }
/// ```
public final class RunStreams {
  private static final Duration UNLIMITED = Duration.ZERO;

  private final Runs runs;
  private final Duration heartbeat;

  RunStreams(Runs runs, Duration heartbeat) {
    this.runs = runs;
    this.heartbeat = heartbeat;
  }

  /// Streams a run from its begin to its end.
  public SseEmitter of(StartedRun run) {
    return emitter(new Delivery(List.of(), run.feed(), 0));
  }

  /// Continues the stream of the newest run of a thread, or of one that a client saw before.
  ///
  /// If the process in which the client saw it is gone, what the journal has of that run is sent
  /// again, after an event `replay`: the client discards what it has of the run. Needs
  /// `superstep.journal.content` for that.
  ///
  /// @param lastEventId the header `Last-Event-ID`, or null for the newest run as a whole
  /// @return status 204, which tells a browser not to come back, if nothing is left to be sent
  public ResponseEntity<SseEmitter> follow(String thread, @Nullable String lastEventId) {
    var seen = EventId.parse(lastEventId);
    var feed = runs.feeds().find(thread);
    if (feed.isEmpty()) return ofJournal(thread, seen);
    var newest = feed.get();
    if (seen.isEmpty()) return ResponseEntity.ok(emitter(new Delivery(List.of(), newest, 0)));
    var id = seen.get();
    if (!id.run().equals(newest.run())) {
      return ResponseEntity.ok(emitter(new Delivery(replay(thread, id, newest.run()), newest, 0)));
    }
    if (newest.isReadUpTo(id.number())) return ResponseEntity.noContent().build();
    return ResponseEntity.ok(emitter(new Delivery(List.of(), newest, id.number())));
  }

  private ResponseEntity<SseEmitter> ofJournal(String thread, Optional<EventId> seen) {
    var replay = seen.map(id -> replay(thread, id, "")).orElse(List.of());
    return replay.isEmpty()
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok(emitter(new Delivery(replay, null, 0)));
  }

  /// The saved events of a run and of those after it, up to another run.
  private List<Sent> replay(String thread, EventId seen, String until) {
    var sent = new ArrayList<Sent>();
    boolean isReached = false;
    for (var entry : ThreadJournal.of(runs.store(), thread).settled()) {
      if (entry.run().equals(until)) break;
      isReached = isReached || entry.run().equals(seen.run());
      if (!isReached) continue;
      var event = ClientEvents.of(ThreadJournal.event(entry));
      event.ifPresent(told -> sent.add(Sent.of(new EventId(entry.run(), 0), told)));
    }
    if (!sent.isEmpty()) sent.addFirst(Sent.replay(seen.run()));
    return sent;
  }

  private SseEmitter emitter(Delivery delivery) {
    var emitter = new SseEmitter(UNLIMITED.toMillis());
    var thread =
        Thread.ofVirtual().name("superstep-sse").unstarted(() -> deliver(delivery, emitter));
    emitter.onCompletion(thread::interrupt);
    emitter.onError(_ -> thread.interrupt());
    thread.start();
    return emitter;
  }

  private void deliver(Delivery delivery, SseEmitter emitter) {
    try {
      for (var sent : delivery.before()) sent.to(emitter);
      var feed = delivery.feed();
      if (feed != null) follow(feed, delivery.after(), emitter);
      emitter.complete();
    } catch (IOException | IllegalStateException _) {
      // The client has gone; its run goes on.
      emitter.complete();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow(RunFeed feed, long after, SseEmitter emitter)
      throws IOException, InterruptedException {
    long number = after;
    while (!feed.isReadUpTo(number)) {
      var next = feed.next(number, heartbeat);
      if (next.isEmpty()) {
        emitter.send(SseEmitter.event().comment(""));
        continue;
      }
      number = next.get().number();
      Sent.of(new EventId(feed.run(), number), next.get().event()).to(emitter);
    }
  }

  /// The events for one client: some that are there, then those of a run.
  private record Delivery(List<Sent> before, @Nullable RunFeed feed, long after) {}

  /// A server-sent event.
  private record Sent(String id, String name, String data) {
    static Sent of(EventId id, ClientEvent event) {
      return new Sent(id.toString(), event.name(), event.data().text());
    }

    static Sent replay(String run) {
      return new Sent("", "replay", Json.of(Map.of("run", run)).text());
    }

    void to(SseEmitter emitter) throws IOException {
      var event = SseEmitter.event().name(name).data(data);
      emitter.send(id.isEmpty() ? event : event.id(id));
    }
  }

  @Override
  public String toString() {
    return "RunStreams[" + runs + "]";
  }
}
