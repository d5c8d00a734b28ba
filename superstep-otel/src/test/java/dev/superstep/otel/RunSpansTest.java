package dev.superstep.otel;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Node;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T60")
class RunSpansTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);

  private final CollectedTelemetry collected = new CollectedTelemetry();
  private final Telemetry telemetry = Telemetry.of(collected.sdk());
  private final RunOptions options = RunOptions.defaults().listener(telemetry);

  private static Graph graph(Node work, NodePolicy policy) {
    return Graph.named("g")
        .channels(SAID)
        .node("work", work, policy)
        .edge(START, "work")
        .edge("work", END)
        .compile();
  }

  @Test
  @Tag("G12")
  void a_graph_in_a_graph_is_inside_of_its_node() throws InterruptedException {
    var inner = graph((_, _) -> Update.of(SAID, "hi"), NodePolicy.defaults());
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .node("each", Subgraph.shared(inner))
            .edge(START, "each")
            .edge("each", END)
            .compile();
    outer.invoke(Input.none(), options);
    assertThat(collected.tree())
        .isEqualTo(
            """
            run outer
              node each
                node work
            """);
    var work = collected.one("node work");
    assertThat(CollectedTelemetry.get(work, AttributeKeys.PATH)).containsExactly("each");
    assertThat(CollectedTelemetry.get(work, AttributeKeys.GRAPH)).isEqualTo("g");
    assertThat(CollectedTelemetry.get(work, AttributeKeys.STEP)).isEqualTo(1);
    assertThat(CollectedTelemetry.get(work, AttributeKeys.OUTCOME)).isEqualTo("completed");
    assertThat(CollectedTelemetry.get(work, AttributeKeys.TASK)).endsWith("/work");
    assertThat(CollectedTelemetry.get(work, AttributeKeys.CHANNELS)).containsExactly("said");
  }

  @Test
  void a_retry_is_a_mark_and_the_task_has_one_span() throws InterruptedException {
    var times = new AtomicInteger();
    var graph =
        graph(
            (_, _) -> {
              if (times.incrementAndGet() < 3) throw new IllegalStateException("flaky");
              return Update.of(SAID, "hi");
            },
            NodePolicy.defaults()
                .retry(
                    Retry.of(3)
                        .when(_ -> true)
                        .backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1))));
    graph.invoke(Input.none(), options);
    var work = collected.one("node work");
    assertThat(work.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(CollectedTelemetry.get(work, AttributeKeys.ATTEMPT)).isEqualTo(3);
    assertThat(work.getEvents())
        .hasSize(2)
        .allSatisfy(event -> {
          assertThat(event.getName()).isEqualTo("superstep.retry");
          assertThat(event.getAttributes().get(AttributeKeys.ERROR_TYPE))
              .isEqualTo("IllegalStateException");
        });
    assertThat(collected.metric("superstep.retries").getLongSumData().getPoints())
        .singleElement()
        .satisfies(point -> assertThat(point.getValue()).isEqualTo(2));
  }

  @Test
  void a_run_that_is_stopped_has_no_open_span_and_no_error() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var graph =
        graph(
            (_, _) -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return Update.all(SAID, List.<String>of());
            },
            NodePolicy.defaults());
    try (var stream = graph.stream(Input.none(), options)) {
      begun.await();
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(telemetry.openSpans()).isZero();
    var run = collected.one("run g");
    assertThat(CollectedTelemetry.get(run, AttributeKeys.OUTCOME)).isEqualTo("stopped");
    assertThat(CollectedTelemetry.get(run, AttributeKeys.STOP_REASON)).isEqualTo("CANCELLED");
    assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(CollectedTelemetry.get(collected.one("node work"), AttributeKeys.OUTCOME))
        .isEqualTo("stopped");
  }

  @Test
  void a_model_call_of_a_node_without_an_agent_is_counted_once() throws InterruptedException {
    var used = new dev.superstep.model.Usage(7, 0, 3, 0);
    var said = ScriptedModel.text("hi");
    var model = ScriptedModel.replying(ScriptedModel.reply(said.message(), used, said.finish()));
    var graph =
        graph(
            (_, node) -> {
              var kept = DurableModel.in(node, "ask", model);
              var reply = kept.call(ChatRequest.of(List.of(Message.user("Hello"))));
              return Update.of(SAID, reply.message().text());
            },
            NodePolicy.defaults());
    graph.invoke(Input.none(), options);
    assertThat(collected.one("node work").getEvents())
        .extracting(event -> event.getName())
        .containsExactly("superstep.model.used");
    assertThat(collected.metric("gen_ai.client.token.usage").getHistogramData().getPoints())
        .extracting(point -> point.getSum())
        .containsExactlyInAnyOrder(7.0, 3.0);
  }

  @Test
  void an_event_of_a_program_with_one_of_our_names_harms_nothing() throws InterruptedException {
    var graph =
        graph(
            (_, node) -> {
              node.emit("model.started", "mine");
              node.emit("usage.recorded", "mine");
              return Update.all(SAID, List.<String>of());
            },
            NodePolicy.defaults());
    graph.invoke(Input.none(), options);
    assertThat(collected.tree()).isEqualTo("run g\n  node work\n");
  }

  @Test
  void without_a_sdk_it_is_not_listening_and_no_event_is_made() throws InterruptedException {
    var none = Telemetry.of(OpenTelemetry.noop());
    assertThat(none.isListening()).isFalse();
    var heard = new AtomicInteger();
    var graph =
        graph(
            (_, node) -> {
              if (node.hasListeners()) heard.incrementAndGet();
              return Update.all(SAID, List.<String>of());
            },
            NodePolicy.defaults());
    graph.invoke(Input.none(), RunOptions.defaults().listener(none));
    assertThat(heard).hasValue(0);
    graph.invoke(Input.none(), options);
    assertThat(heard).hasValue(1);
  }

  @Test
  void a_failure_counts_as_an_error_of_its_node_and_of_its_run() {
    var graph =
        graph(
            (_, _) -> {
              throw new IllegalStateException("password is hunter2");
            },
            NodePolicy.defaults());
    assertThatThrownBy(() -> graph.invoke(Input.none(), options)).isInstanceOf(NodeFailed.class);
    assertThat(CollectedTelemetry.get(collected.one("node work"), AttributeKeys.ERROR_TYPE))
        .isEqualTo("IllegalStateException");
    assertThat(CollectedTelemetry.get(collected.one("run g"), AttributeKeys.ERROR_TYPE))
        .isEqualTo("graph.node-failed");
    assertThat(collected.metric("superstep.errors").getLongSumData().getPoints())
        .extracting(point -> point.getAttributes().get(AttributeKeys.ERROR_OF))
        .containsExactlyInAnyOrder("node", "run");
    assertThat(collected.metric("superstep.run.duration").getHistogramData().getPoints())
        .singleElement()
        .satisfies(point ->
            assertThat(point.getAttributes().get(AttributeKeys.OUTCOME)).isEqualTo("failed"));
    assertThat(collected.everything()).doesNotContain("hunter2");
  }

  @Test
  void labels_are_on_a_span_only_if_they_are_named() throws InterruptedException {
    var graph = graph((_, _) -> Update.all(SAID, List.<String>of()), NodePolicy.defaults());
    var some = TelemetryOptions.defaults().withLabels("tenant");
    var labelled = RunOptions.defaults().label("tenant", "acme").label("user", "Lovelace");
    graph.invoke(Input.none(), labelled.listener(Telemetry.of(collected.sdk(), some)));
    var run = collected.one("run g");
    assertThat(CollectedTelemetry.get(run, AttributeKeys.label("tenant"))).isEqualTo("acme");
    assertThat(collected.everything()).doesNotContain("Lovelace");
  }

  @Test
  void events_from_the_middle_of_a_run_make_a_partial_span() throws InterruptedException {
    var events = new ArrayList<Event>();
    graph((_, _) -> Update.all(SAID, List.<String>of()), NodePolicy.defaults())
        .invoke(Input.none(), RunOptions.defaults().listener(events::add));
    for (var event : events.subList(1, events.size())) telemetry.on(event);
    assertThat(CollectedTelemetry.get(collected.one("run g"), AttributeKeys.PARTIAL)).isTrue();
    assertThat(collected.tree()).isEqualTo("run g\n  node work\n");
    assertThat(telemetry.openSpans()).isZero();
  }
}
