package dev.superstep.spring;

import java.io.IOException;
import java.time.Duration;
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

  /// Streams a run from its start to its end.
  public SseEmitter of(StartedRun run) {
    return emitter(RunDelivery.of(run.feed(), 0));
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
    return RunDelivery.following(runs, thread, lastEventId)
        .map(delivery -> ResponseEntity.ok(emitter(delivery)))
        .orElseGet(() -> ResponseEntity.noContent().build());
  }

  private SseEmitter emitter(RunDelivery delivery) {
    var emitter = new SseEmitter(UNLIMITED.toMillis());
    var thread =
        Thread.ofVirtual().name("superstep-sse").unstarted(() -> deliver(delivery, emitter));
    emitter.onCompletion(thread::interrupt);
    emitter.onError(_ -> thread.interrupt());
    thread.start();
    return emitter;
  }

  private void deliver(RunDelivery delivery, SseEmitter emitter) {
    try {
      delivery.to(new Browser(emitter), runs, heartbeat);
      emitter.complete();
    } catch (IOException | IllegalStateException _) {
      // The client has gone; its run goes on.
      emitter.complete();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private record Browser(SseEmitter emitter) implements RunDelivery.Client {
    @Override
    public void send(SentEvent event) throws IOException {
      var sent = SseEmitter.event().name(event.name()).data(event.data());
      emitter.send(event.id().isEmpty() ? sent : sent.id(event.id()));
    }

    @Override
    public void beat() throws IOException {
      emitter.send(SseEmitter.event().comment(""));
    }
  }

  @Override
  public String toString() {
    return "RunStreams[" + runs + "]";
  }
}
