package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.log.RequestLog.Ending;
import dev.superstep.server.options.HttpLimits;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/// Answers that take their time: events, and values that are awaited.
@Timeout(60)
@Tag("H4.1")
@Tag("SV15")
final class StreamsTest {
  private static final HttpLimits QUICK =
      HttpLimits.defaults().withTimes(Duration.ofMillis(50), Duration.ofSeconds(1));
  // They come 50 milliseconds apart or later.
  private static final int HEARTBEATS_OF_A_LOOK = 25;
  private static final Frame LAST = new Frame("", "last", "");

  /// Events that a test gives.
  private static final class Feed implements FrameSource {
    final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();
    private boolean isOver;

    @Override
    public List<Frame> next(Duration most) throws InterruptedException {
      var first = frames.poll(most.toNanos(), TimeUnit.NANOSECONDS);
      if (first == null) return List.of();
      var all = new ArrayList<>(List.of(first));
      frames.drainTo(all);
      isOver = all.remove(LAST);
      return all;
    }

    @Override
    public boolean isOver() {
      return isOver;
    }

    @Override
    public void close(boolean isComplete) {
      ends.add(isComplete);
    }

    boolean end() throws InterruptedException {
      var end = ends.poll(30, TimeUnit.SECONDS);
      if (end == null) throw new AssertionError("the stream was not closed");
      return end;
    }
  }

  private static Routes feeding(FrameSource feed) {
    return new Routes().on("GET", "/stream", _ -> new Reply.Events(feed, Map.of()));
  }

  private static Socket listen(RunningServer server) throws Exception {
    return server.open("GET /stream HTTP/1.1", "Host: localhost");
  }

  private static BufferedReader lines(Socket socket) throws Exception {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void events_arrive_whole_and_a_line_separator_does_not_split_them() throws Exception {
    var feed = new Feed();
    feed.frames.add(new Frame("0", "metadata", "{\"run_id\":\"1\"}"));
    feed.frames.add(new Frame("1", "values", "{\"text\":\"a\u2028b\u0085c\"}"));
    feed.frames.add(new Frame("2", "", ""));
    feed.frames.add(LAST);
    try (var server = RunningServer.of(feeding(feed))) {
      var answer = server.get("/stream");

      assertThat(answer.headers().firstValue("content-type")).hasValue("text/event-stream");
      assertThat(answer.body())
          .isEqualTo(
              """
              id: 0
              event: metadata
              data: {"run_id":"1"}

              id: 1
              event: values
              data: {"text":"a\u2028b\u0085c"}

              id: 2

              """);
      assertThat(feed.end()).isTrue();
    }
  }

  @Test
  void an_event_is_sent_at_once_and_heartbeats_come_until_the_next_one() throws Exception {
    var feed = new Feed();
    try (var server = RunningServer.of(feeding(feed), QUICK);
        var socket = listen(server)) {
      var lines = lines(socket);
      feed.frames.add(new Frame("0", "first", "1"));
      await(lines, "event: first");
      await(lines, ": heartbeat");
      await(lines, ": heartbeat");
      feed.frames.add(new Frame("1", "second", "2"));
      await(lines, "event: second");
      await(lines, ": heartbeat");
      feed.frames.add(LAST);

      assertThat(feed.end()).isTrue();
    }
  }

  private static void await(BufferedReader lines, String wanted) throws Exception {
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(wanted)) return;
    }
    throw new AssertionError("the stream ended without `" + wanted + "`");
  }

  @Test
  void a_client_that_leaves_between_events_is_noticed_without_one() throws Exception {
    var feed = new Feed();
    var rareHeartbeats =
        HttpLimits.defaults().withTimes(Duration.ofMinutes(5), Duration.ofMinutes(10));
    try (var server = RunningServer.of(feeding(feed), rareHeartbeats)) {
      try (var socket = listen(server)) {
        feed.frames.add(new Frame("0", "first", "1"));
        await(lines(socket), "event: first");
      }

      assertThat(feed.end()).isFalse();
      assertThat(server.nextServed().ending()).isEqualTo(Ending.ABANDONED);
    }
  }

  /// Events without an end, as fast as they are taken.
  private static final class Flood implements FrameSource {
    final CountDownLatch closed = new CountDownLatch(1);
    private final String data = "\"" + "x".repeat(10_000) + "\"";

    @Override
    public List<Frame> next(Duration most) {
      return List.of(new Frame("", "flood", data));
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public void close(boolean isComplete) {
      closed.countDown();
    }
  }

  @Test
  void a_reader_that_takes_nothing_is_let_go_and_blocks_nobody() throws Exception {
    var flood = new Flood();
    var routes = feeding(flood).on("GET", "/quick", _ -> Reply.nothing());
    try (var server = RunningServer.of(routes, QUICK);
        var slow = listen(server)) {
      assertThat(slow.getInputStream().read()).isEqualTo('H');

      for (int i = 0; i < 50; i++) assertThat(server.get("/quick").statusCode()).isEqualTo(204);
      assertThat(flood.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /// One event, and then nothing that can be read any more.
  private static final class Broken implements FrameSource {
    private boolean isBegun;

    @Override
    public List<Frame> next(Duration most) {
      if (isBegun) throw new IllegalStateException("the store is gone");
      isBegun = true;
      return List.of(new Frame("0", "first", "1"));
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public void close(boolean isComplete) {}
  }

  @Test
  void a_stream_that_breaks_does_not_look_whole() throws Exception {
    try (var server = RunningServer.of(feeding(new Broken()));
        var socket = listen(server)) {
      var received = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(received).contains("Transfer-Encoding: chunked").contains("event: first");
      assertThat(received).doesNotContain("\r\n0\r\n");
      assertThat(server.nextServed().ending()).isEqualTo(Ending.FAILED);
    }
  }

  @Test
  void a_thousand_idle_streams_are_held_and_the_next_one_is_refused() throws Exception {
    var feeds = new LinkedBlockingQueue<Feed>();
    var routes =
        new Routes()
            .on(
                "GET",
                "/stream",
                _ -> {
                  var feed = new Feed();
                  feeds.add(feed);
                  return new Reply.Events(feed, Map.of());
                });
    var limits = HttpLimits.defaults().withStreams(1_000);
    var sockets = new ArrayList<Socket>();
    try (var server = RunningServer.of(routes, limits)) {
      for (int i = 0; i < 1_000; i++) {
        var socket = listen(server);
        sockets.add(socket);
        assertThat(lines(socket).readLine()).isEqualTo("HTTP/1.1 200 OK");
      }
      var refused = server.get("/stream");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).hasValue("5");

      for (var feed : feeds) feed.frames.add(new Frame("0", "all", "1"));
      for (var socket : sockets) await(lines(socket), "event: all");
    } finally {
      for (var socket : sockets) socket.close();
    }
  }

  @Test
  void the_place_of_a_stream_that_ended_is_free_again() throws Exception {
    var feed = new Feed();
    try (var server = RunningServer.of(feeding(feed), QUICK.withStreams(1))) {
      for (int i = 0; i < 3; i++) {
        feed.frames.add(LAST);
        assertThat(server.get("/stream").statusCode()).isEqualTo(200);
        assertThat(feed.end()).isTrue();
        feed.isOver = false;
      }
    }
  }

  @Test
  void a_connection_is_used_again_after_a_stream_and_after_a_value_that_took_long()
      throws Exception {
    var feed = new Feed();
    var routes =
        feeding(feed)
            .on("GET", "/quick", _ -> Reply.nothing())
            .on(
                "GET",
                "/wait",
                _ -> new Reply.Later(() -> JsonNodeFactory.instance.numberNode(7), Map.of()));
    try (var server = RunningServer.of(routes, QUICK);
        var socket = listen(server)) {
      var lines = lines(socket);
      feed.frames.add(new Frame("0", "first", "1"));
      await(lines, "event: first");
      // The client is looked at once a second while its stream is open.
      awaitLook(lines);
      feed.frames.add(LAST);
      await(lines, "0");
      assertThat(lines.readLine()).isEmpty();
      ask(socket, "GET /wait HTTP/1.1");
      await(lines, "7");
      await(lines, "0");
      ask(socket, "GET /quick HTTP/1.1");
      await(lines, "HTTP/1.1 204 No Content");
    }
  }

  private static void awaitLook(BufferedReader lines) throws Exception {
    for (int i = 0; i < HEARTBEATS_OF_A_LOOK; i++) await(lines, ": heartbeat");
  }

  private static void ask(Socket socket, String line) throws Exception {
    var text = line + "\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void a_connection_ends_with_a_stream_during_which_its_client_sent_the_next_request()
      throws Exception {
    var feed = new Feed();
    var routes = feeding(feed).on("GET", "/quick", _ -> Reply.nothing());
    try (var server = RunningServer.of(routes, QUICK);
        var socket = listen(server)) {
      var lines = lines(socket);
      feed.frames.add(new Frame("0", "first", "1"));
      await(lines, "event: first");
      ask(socket, "GET /quick HTTP/1.1");
      // The client is looked at, which is when the request is read.
      awaitLook(lines);
      feed.frames.add(new Frame("1", "second", "2"));
      feed.frames.add(LAST);
      await(lines, "event: second");
      await(lines, "0");

      var rest = new ArrayList<String>();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) rest.add(line);
      assertThat(rest).containsOnly("");
    }
  }

  @Test
  void a_value_that_takes_long_comes_behind_blanks() throws Exception {
    var ready = new CountDownLatch(1);
    var routes =
        new Routes()
            .on(
                "POST",
                "/wait",
                _ ->
                    new Reply.Later(
                        () -> {
                          ready.await();
                          return JsonNodeFactory.instance.objectNode().put("done", true);
                        },
                        Map.of("Content-Location", "/runs/1")));
    try (var server = RunningServer.of(routes, QUICK);
        var socket =
            server.open(
                "POST /wait HTTP/1.1",
                "Host: localhost",
                "Content-Length: 0",
                "Connection: close")) {
      var in = socket.getInputStream();
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) head.append((char) in.read());
      assertThat(head).startsWith("HTTP/1.1 200").contains("Content-Location: /runs/1");
      assertThat(new String(in.readNBytes(5), StandardCharsets.US_ASCII)).contains(" ");
      ready.countDown();

      assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
          .contains("{\"done\":true}");
    }
  }

  @Test
  void who_leaves_before_the_value_interrupts_what_it_waits_for() throws Exception {
    var begun = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    var routes =
        new Routes()
            .on(
                "GET",
                "/wait",
                _ ->
                    new Reply.Later(
                        () -> {
                          begun.countDown();
                          try {
                            new CountDownLatch(1).await();
                          } finally {
                            interrupted.countDown();
                          }
                          throw new AssertionError("nobody counts it down");
                        },
                        Map.of()));
    try (var server = RunningServer.of(routes)) {
      try (var socket = server.open("GET /wait HTTP/1.1", "Host: localhost")) {
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        begun.await();
      }

      assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_value_that_fails_late_is_an_error_in_the_form_of_langgraph() throws Exception {
    var routes =
        new Routes()
            .on(
                "GET",
                "/wait",
                _ ->
                    new Reply.Later(
                        () -> {
                          throw new HttpFailure(404, "It was deleted.");
                        },
                        Map.of()));
    try (var server = RunningServer.of(routes)) {
      assertThat(server.get("/wait").body().strip())
          .isEqualTo("{\"__error__\":{\"error\":\"Error\",\"message\":\"It was deleted.\"}}");
    }
  }
}
