package dev.superstep.otel;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.state.Channel;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Spans and metrics of a server.
@Tag("SV17")
@Timeout(60)
class ServerSpansTest {
  private static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);
  private static final String RUN = "{\"assistant_id\":\"desk\",\"input\":{}}";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLER = "b7ad6b7169203331";

  private final InMemoryCheckpointer checkpoints = new InMemoryCheckpointer();
  private final InMemoryServiceStore documents = InMemoryServiceStore.open();
  private final CollectedTelemetry collected = new CollectedTelemetry();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  private AgentServer server() throws Exception {
    var graph =
        Graph.named("desk")
            .channels(SEEN)
            .node(
                "first",
                (_, _) -> {
                  begun.countDown();
                  mayGoOn.await();
                  return Update.of(SEEN, "first");
                })
            .node("second", (_, _) -> Update.of(SEEN, "second"))
            .sequence(START, "first", "second", END)
            .compile();
    var telemetry = Telemetry.of(collected.sdk());
    return AgentServer.on(checkpoints, documents)
        .serving(ServedGraph.of(graph).with(options -> options.listener(telemetry)))
        .listener(ServerTelemetry.of(collected.sdk()))
        .start(0);
  }

  private static String post(URI server, String path, String body) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(server.resolve(path))
              .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
              .POST(BodyPublishers.ofString(body))
              .build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  private static String thread(URI server) throws Exception {
    return post(server, "/threads", "{}").replaceAll(".*\"thread_id\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void a_run_is_inside_the_request_that_began_it_and_that_inside_the_callers_trace()
      throws Exception {
    mayGoOn.countDown();
    try (var server = server()) {
      var thread = thread(server.address());
      var answer = post(server.address(), "/threads/" + thread + "/runs/wait", RUN);
      assertThat(answer).contains("second");
    }
    var request = collected.one("POST /threads/{thread}/runs/wait");
    assertThat(request.getTraceId()).isEqualTo(TRACE);
    assertThat(request.getParentSpanId()).isEqualTo(CALLER);
    assertThat(request.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(CollectedTelemetry.get(request, ServerInstruments.STATUS)).isEqualTo(200);
    var work = collected.one("work desk");
    assertThat(work.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(CollectedTelemetry.get(work, AttributeKeys.OUTCOME)).isEqualTo("success");
    var run = collected.one("run desk");
    assertThat(run.getTraceId()).isEqualTo(TRACE);
    assertThat(run.getParentSpanId()).isEqualTo(work.getSpanId());
  }

  @Test
  void a_run_that_another_server_goes_on_with_stays_in_its_trace() throws Exception {
    try (var first = server()) {
      var thread = thread(first.address());
      var _ = post(first.address(), "/threads/" + thread + "/runs", RUN);
      begun.await();
      var closing = Thread.ofVirtual().start(first::close);
      // It refuses runs as soon as it drains.
      while (!post(first.address(), "/threads/" + thread + "/runs", RUN).contains("ends")) {
        Thread.onSpinWait();
      }
      mayGoOn.countDown();
      closing.join();
      try (var second = server()) {
        var answer =
            post(
                second.address(),
                "/threads/" + thread + "/runs/wait",
                RUN.replace("}}", "},\"multitask_strategy\":\"enqueue\"}"));
        assertThat(answer).contains("second");
      }
    }
    var works =
        collected.named("work desk").stream()
            .filter(work -> work.getTraceId().equals(TRACE))
            .toList();
    assertThat(works.stream().map(ServerSpansTest::attempt)).contains(1L, 2L);
    var begin =
        collected.named("POST /threads/{thread}/runs").stream()
            .filter(span -> CollectedTelemetry.get(span, ServerInstruments.STATUS) == 200)
            .findFirst()
            .orElseThrow();
    assertThat(
            works.stream()
                .filter(work -> work.getParentSpanId().equals(begin.getSpanId()))
                .toList())
        .extracting(ServerSpansTest::attempt)
        .containsExactlyInAnyOrder(1L, 2L);
    var taken = collected.metric("superstep.server.runs.taken_over").getLongSumData();
    assertThat(taken.getPoints().iterator().next().getValue()).isEqualTo(1);
  }

  private static long attempt(SpanData work) {
    return CollectedTelemetry.get(work, ServerInstruments.ATTEMPT);
  }

  @Test
  void requests_runs_streams_and_what_waits_are_counted() throws Exception {
    try (var server = server()) {
      var thread = thread(server.address());
      try (var client = HttpClient.newHttpClient()) {
        var request =
            HttpRequest.newBuilder(server.address().resolve("/threads/" + thread + "/runs/stream"))
                .POST(BodyPublishers.ofString(RUN))
                .build();
        var stream = client.send(request, BodyHandlers.ofInputStream()).body();
        begun.await();
        var _ =
            post(
                server.address(),
                "/threads/" + thread + "/runs",
                RUN.replace("}}", "},\"multitask_strategy\":\"enqueue\"}"));
        assertThat(sum("superstep.server.streams")).isEqualTo(1);
        var waiting = collected.metric("superstep.server.runs.waiting").getLongGaugeData();
        assertThat(waiting.getPoints().iterator().next().getValue()).isEqualTo(1);
        mayGoOn.countDown();
        assertThat(new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
            .contains("second");
      }
    }
    assertThat(sum("superstep.server.streams")).isZero();
    var durations = collected.metric("http.server.request.duration").getHistogramData();
    assertThat(
            durations.getPoints().stream().map(p -> p.getAttributes().get(ServerInstruments.ROUTE)))
        .contains("/threads", "/threads/{thread}/runs/stream", "/threads/{thread}/runs");
    var runs = collected.metric("superstep.server.run.duration").getHistogramData();
    assertThat(runs.getPoints().iterator().next().getAttributes().get(AttributeKeys.GRAPH))
        .isEqualTo("desk");
  }

  private long sum(String name) {
    return collected.metric(name).getLongSumData().getPoints().iterator().next().getValue();
  }
}
