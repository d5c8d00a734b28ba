package dev.superstep.spring;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/// Streams runs to clients of WebFlux as server-sent events, with the events and the reconnection
/// of [RunStreams]: [ClientEvent] has their names and data. Each client has a virtual thread, which
/// sends as many events as the client asks for. A client that goes away does not stop its run. Safe
/// for many threads.
///
/// ```java
/// @PostMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
/// Flux<ServerSentEvent<String>> ask(
///     @PathVariable String chat, @RequestBody String question, Principal user) {
///   var thread = user.getName() + "-" + chat;
///   return streams.of(() -> runs.actingFor(user).ask("support", question, thread));
/// }
/// ```
public final class ReactiveRunStreams {
  private final Runs runs;
  private final Duration heartbeat;

  ReactiveRunStreams(Runs runs, Duration heartbeat) {
    this.runs = runs;
    this.heartbeat = heartbeat;
  }

  /// Starts a run for each subscriber, and streams it from its start to its end. What the call that
  /// starts it throws, such as [dev.superstep.checkpoint.ThreadBusy], is the error of the stream.
  ///
  /// @param start is called on a virtual thread, as it waits for the store
  public Flux<ServerSentEvent<String>> of(Callable<StartedRun> start) {
    return events(() -> RunDelivery.of(start.call().feed(), 0));
  }

  /// Streams a run from its start to its end, to each subscriber.
  public Flux<ServerSentEvent<String>> of(StartedRun run) {
    return events(() -> RunDelivery.of(run.feed(), 0));
  }

  /// Continues the stream of the newest run of a thread, or of one that a client saw before, as
  /// [RunStreams#follow] does.
  ///
  /// @param lastEventId the header `Last-Event-ID`, or null for the newest run as a whole
  /// @return status 204, which tells a browser not to come back, if nothing is left to be sent
  public Mono<ResponseEntity<Flux<ServerSentEvent<String>>>> follow(
      String thread, @Nullable String lastEventId) {
    return Mono.create(sink -> {
      var reading =
          Thread.ofVirtual()
              .name("superstep-sse")
              .unstarted(() -> {
                try {
                  var found = RunDelivery.following(runs, thread, lastEventId);
                  sink.success(
                      found
                          .map(delivery -> ResponseEntity.ok(events(() -> delivery)))
                          .orElseGet(() -> ResponseEntity.noContent().build()));
                } catch (RuntimeException | Error e) {
                  sink.error(e);
                }
              });
      sink.onCancel(reading::interrupt);
      reading.start();
    });
  }

  private Flux<ServerSentEvent<String>> events(Callable<RunDelivery> begin) {
    return Flux.create(
        sink -> {
          var subscriber = new Subscriber(sink, new Demand());
          sink.onRequest(subscriber.demand()::add);
          var sending =
              Thread.ofVirtual().name("superstep-sse").unstarted(() -> deliver(begin, subscriber));
          // Also when the client has gone.
          sink.onDispose(sending::interrupt);
          sending.start();
        },
        FluxSink.OverflowStrategy.ERROR);
  }

  private void deliver(Callable<RunDelivery> begin, Subscriber subscriber) {
    var sink = subscriber.sink();
    try {
      begin.call().to(subscriber, runs, heartbeat);
      sink.complete();
    } catch (InterruptedException _) {
      // The client has gone; its run goes on.
      sink.complete();
    } catch (Exception | Error e) {
      sink.error(e);
    }
  }

  private record Subscriber(FluxSink<ServerSentEvent<String>> sink, Demand demand)
      implements RunDelivery.Client {
    @Override
    public void send(SentEvent event) throws InterruptedException {
      var sent = ServerSentEvent.<String>builder().event(event.name()).data(event.data());
      if (!event.id().isEmpty()) sent.id(event.id());
      demand.take();
      sink.next(sent.build());
    }

    @Override
    public void beat() {
      // A client that asks for nothing is not waited for: it has events to read.
      if (demand.takeNow()) sink.next(ServerSentEvent.<String>builder().comment("").build());
    }
  }

  @Override
  public String toString() {
    return "ReactiveRunStreams[" + runs + "]";
  }
}
