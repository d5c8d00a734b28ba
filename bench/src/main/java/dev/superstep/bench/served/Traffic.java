package dev.superstep.bench.served;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.json.JsonMapper;

/// Users of a server, who send what LangGraph's clients send, by plain HTTP. Safe for many threads.
final class Traffic implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
  private static final int OK = 200;
  private static final String RUN =
      """
      {"assistant_id":"trivial","input":{"items":["input"],"delay":%d},"stream_mode":["values"]}
      """;

  // What a thread has after a run that was streamed and one that was awaited.
  private static final String TWO_RUNS =
      "[\"input\",\"first\",\"second\",\"input\",\"first\",\"second\"]";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;

  Traffic(URI server) {
    this.server = server;
  }

  /// The nanoseconds of one new thread with two runs. Immutable.
  record Cycle(long create, long stream, long await) {
    long all() {
      return create + stream + await;
    }
  }

  /// Some users do cycles, each one after the other.
  ///
  /// @return all cycles that were begun in that time
  List<Cycle> cycles(int users, Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    return together(
            users,
            () -> {
              var all = new ArrayList<Cycle>();
              while (System.nanoTime() < end) all.add(cycle());
              return all;
            })
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private Cycle cycle() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    var thread = newThread();
    long created = System.nanoTime();
    stream(thread, 0);
    long streamed = System.nanoTime();
    var values = post("/threads/" + thread + "/runs/wait", RUN.formatted(0));
    long ended = System.nanoTime();
    var items = JSON.readTree(values).path("items").toString();
    if (!items.equals(TWO_RUNS)) throw new IOException("the run ended with " + values);
    return new Cycle(created - begin, streamed - created, ended - streamed);
  }

  /// Leaves threads behind that have run once.
  void leave(int threads, int users) throws IOException, InterruptedException {
    int each = threads / users;
    var _ =
        together(
            users,
            () -> {
              for (int i = 0; i < each; i++) stream(newThread(), 0);
              return true;
            });
  }

  /// Streams runs at once that each wait a while.
  void active(int runs, Duration delay) throws IOException, InterruptedException {
    var _ =
        together(
            runs,
            () -> {
              stream(newThread(), delay.toMillis());
              return true;
            });
  }

  private String newThread() throws IOException, InterruptedException {
    return JSON.readTree(post("/threads", "{}")).path("thread_id").asString();
  }

  private void stream(String thread, long delay) throws IOException, InterruptedException {
    var events = post("/threads/" + thread + "/runs/stream", RUN.formatted(delay));
    if (!events.contains("\"first\",\"second\"]")) throw new IOException("it streamed " + events);
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.resolve(path))
            .timeout(ANSWER_MAX)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var reply = client.send(request, BodyHandlers.ofString());
    if (reply.statusCode() == OK) return reply.body();
    throw new IOException(path + " answered " + reply.statusCode() + ": " + reply.body());
  }

  /// The work of a user.
  @FunctionalInterface
  private interface Doing<T> {
    T run() throws IOException, InterruptedException;
  }

  private static <T> List<T> together(int users, Doing<T> doing)
      throws IOException, InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<T>>();
      for (int i = 0; i < users; i++) all.add(threads.submit(doing::run));
      var results = new ArrayList<T>();
      for (var one : all) results.add(one.get());
      return results;
    } catch (ExecutionException e) {
      throw new IOException("a user failed", e.getCause());
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
