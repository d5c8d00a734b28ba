package dev.superstep.spring;

import java.io.IOException;
import java.time.Duration;
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
  private final JournalReplays journal;

  RunStreams(Runs runs, Duration heartbeat) {
    this.runs = runs;
    this.heartbeat = heartbeat;
    this.journal = new JournalReplays(runs);
  }

  /// Streams a run from its begin to its end.
  public SseEmitter of(StartedRun run) {
    return emitter(Delivery.of(run.feed(), 0));
  }

  /// Continues the stream of the newest run of a thread, or of one that a client saw before.
  ///
  /// If the process in which the client saw it is gone, what the journal has of that run is sent
  /// again, after an event `replay`: the client discards what it has of the run. Then comes the run
  /// that resumes it, which the stream waits for. Of a run in another process the journal is sent
  /// when the run has ended. Both need `superstep.journal.content` for texts and questions.
  ///
  /// @param lastEventId the header `Last-Event-ID`, or null for the newest run as a whole
  /// @return status 204, which tells a browser not to come back, if nothing is left to be sent
  public ResponseEntity<SseEmitter> follow(String thread, @Nullable String lastEventId) {
    var seen = EventId.parse(lastEventId);
    var feed = runs.feeds().find(thread);
    if (feed.isEmpty()) return ofJournal(thread, seen);
    var newest = feed.get();
    if (seen.isEmpty()) return ResponseEntity.ok(emitter(Delivery.of(newest, 0)));
    var id = seen.get();
    if (id.run().equals(newest.run())) {
      return newest.isReadUpTo(id.number())
          ? ResponseEntity.noContent().build()
          : ResponseEntity.ok(emitter(Delivery.of(newest, id.number())));
    }
    return ResponseEntity.ok(emitter(Delivery.of(newest, 0).after(journal.replay(thread, id))));
  }

  private ResponseEntity<SseEmitter> ofJournal(String thread, Optional<EventId> seen) {
    var replay = seen.map(id -> journal.replay(thread, id)).orElse(JournalReplay.NONE);
    boolean isOpen = journal.isOpen(thread);
    return replay.events().isEmpty() && !isOpen
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok(emitter(Delivery.waiting(thread, isOpen).after(replay)));
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
      for (var sent : delivery.replay().events()) sent.to(emitter);
      var feed = delivery.feed();
      if (feed == null && delivery.isOpen()) feed = awaited(delivery, emitter);
      if (feed != null) follow(feed, delivery.number(), emitter);
      emitter.complete();
    } catch (IOException | IllegalStateException _) {
      // The client has gone; its run goes on.
      emitter.complete();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits until a run is resumed here, or has ended in another process.
  private @Nullable RunFeed awaited(Delivery delivery, SseEmitter emitter)
      throws IOException, InterruptedException {
    var thread = delivery.thread();
    while (true) {
      var feed = runs.feeds().await(thread, heartbeat);
      if (feed.isPresent()) return feed.get();
      if (!journal.isOpen(thread)) {
        for (var sent : journal.after(thread, delivery.replay().offset())) sent.to(emitter);
        return null;
      }
      emitter.send(SseEmitter.event().comment(""));
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
      SentEvent.of(new EventId(feed.run(), number), next.get().event()).to(emitter);
    }
  }

  /// The events for one client: those of the journal, then those of a run.
  ///
  /// @param feed the run, or null if it is still to come
  /// @param number what the client has of it
  /// @param isOpen whether a run is to be waited for
  private record Delivery(
      JournalReplay replay, String thread, @Nullable RunFeed feed, long number, boolean isOpen) {
    static Delivery of(RunFeed feed, long number) {
      return new Delivery(JournalReplay.NONE, "", feed, number, true);
    }

    static Delivery waiting(String thread, boolean isOpen) {
      return new Delivery(JournalReplay.NONE, thread, null, 0, isOpen);
    }

    Delivery after(JournalReplay before) {
      return new Delivery(before, thread, feed, number, isOpen);
    }
  }

  @Override
  public String toString() {
    return "RunStreams[" + runs + "]";
  }
}
