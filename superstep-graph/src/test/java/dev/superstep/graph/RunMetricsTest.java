package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.Latency;
import dev.superstep.event.Metrics;
import dev.superstep.event.Origin;
import dev.superstep.event.RunMetrics;
import dev.superstep.json.Codec;
import dev.superstep.node.Approval;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G19")
@Tag("G32")
class RunMetricsTest {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<Long, Long> SUM = Channel.sum("sum");
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);
  static final Target<String> PART = Target.of("part", String.class);

  private final RunMetrics metrics = new RunMetrics();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

  GraphBuilder graph(String name) {
    return Graph.named(name).channels(LOG, SUM);
  }

  RunOptions options() {
    return RunOptions.defaults().listener(metrics).sleeper(_ -> {}).clock(now::get);
  }

  void pass(long millis) {
    now.updateAndGet(before -> before.plusMillis(millis));
  }

  Metrics.NodeCounts node(String graph, String name) {
    return metrics.snapshot().nodes().stream()
        .filter(n -> n.graph().equals(graph) && n.node().equals(name))
        .findFirst()
        .orElseThrow();
  }

  Metrics.ChannelCounts channel(String name) {
    return metrics.snapshot().channels().stream()
        .filter(c -> c.channel().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static Node failing(AtomicInteger times) {
    return (_, _) -> {
      if (times.getAndDecrement() > 0) throw new IOException("no network");
      return Update.of(LOG, "x");
    };
  }

  @Test
  void nodes_are_counted_by_how_they_ended() throws Exception {
    var twice = NodePolicy.defaults().retry(Retry.of(2));
    var skip = NodePolicy.defaults().onFailure(OnFailure.skip());
    var graph =
        graph("g")
            .node("flaky", failing(new AtomicInteger(1)), twice)
            .node("skipped", failing(new AtomicInteger(9)), skip)
            .node("broken", failing(new AtomicInteger(9)))
            .edge(START, "flaky")
            .edge(START, "skipped")
            .edge("flaky", "broken")
            .edge("skipped", END)
            .edge("broken", END)
            .compile();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options()));
    assertThat(node("g", "flaky"))
        .returns(1L, Metrics.NodeCounts::started)
        .returns(1L, Metrics.NodeCounts::finished)
        .returns(1L, Metrics.NodeCounts::retries)
        .returns(0L, Metrics.NodeCounts::failed)
        .returns(1L, n -> n.took().count());
    assertThat(node("g", "skipped"))
        .returns(1L, Metrics.NodeCounts::started)
        .returns(1L, Metrics.NodeCounts::handled)
        .returns(0L, Metrics.NodeCounts::finished)
        .returns(0L, n -> n.took().count());
    assertThat(node("g", "broken"))
        .returns(1L, Metrics.NodeCounts::started)
        .returns(1L, Metrics.NodeCounts::failed)
        .returns(0L, Metrics.NodeCounts::finished);
  }

  @Test
  void runs_are_counted_by_how_they_ended() throws Exception {
    var graph =
        graph("g")
            .questions(SURE)
            .node(
                "ask",
                (state, context) -> {
                  var yes = context.interrupt(SURE, "?").approved();
                  if (!yes) throw new IOException("no");
                  return Update.of(LOG, "yes");
                })
            .sequence(START, "ask", END)
            .compile();
    var options = kept().listener(metrics);
    var question = asked(graph.invoke(Input.none(), options)).getFirst();
    completed(graph.resume(Answers.of(question.id(), Approval.yes()), options));
    var again = asked(graph.invoke(Input.none(), options)).getFirst();
    thrown(
        NodeFailed.class, () -> graph.resume(Answers.of(again.id(), Approval.no("no")), options));
    var snapshot = metrics.snapshot();
    assertThat(snapshot.runs())
        .returns(4L, Metrics.Runs::started)
        .returns(2L, Metrics.Runs::resumed)
        .returns(2L, Metrics.Runs::interrupted)
        .returns(1L, Metrics.Runs::completed)
        .returns(1L, Metrics.Runs::failed)
        .returns(0L, Metrics.Runs::stopped)
        .returns(4L, r -> r.took().count());
    assertThat(snapshot.questions()).isEqualTo(2);
    assertThat(node("g", "ask"))
        .returns(4L, Metrics.NodeCounts::started)
        .returns(2L, Metrics.NodeCounts::waiting)
        .returns(1L, Metrics.NodeCounts::finished)
        .returns(1L, Metrics.NodeCounts::failed);
  }

  @Test
  void times_of_supersteps_and_runs_come_from_the_clock_of_the_run() throws Exception {
    var graph =
        graph("g")
            .node("a", (_, _) -> waiting(30))
            .node("b", (_, _) -> waiting(70))
            .sequence(START, "a", "b", END)
            .compile();
    graph.invoke(Input.none(), options());
    var snapshot = metrics.snapshot();
    assertThat(snapshot.supersteps().count()).isEqualTo(2);
    assertThat(snapshot.supersteps().total()).isEqualTo(Duration.ofMillis(100));
    assertThat(snapshot.supersteps().longest()).isEqualTo(Duration.ofMillis(70));
    assertThat(snapshot.runs().took().total()).isEqualTo(Duration.ofMillis(100));
  }

  private NodeResult waiting(long millis) {
    pass(millis);
    return Update.of(LOG, "waited " + millis);
  }

  @Test
  void graphs_inside_count_under_their_own_name_also_side_by_side() throws Exception {
    var inner =
        graph("inner").node("work", (_, _) -> Update.of(SUM, 1L)).sequence(START, "work", END);
    var part = Subgraph.<String>of(inner.compile(), _ -> Input.none(), _ -> Update.of(SUM, 1L));
    var graph =
        graph("outer")
            .node("split", (_, _) -> NodeResult.nothing())
            .node(PART, part)
            .edge(START, "split")
            .fanOut(
                "split",
                _ -> List.of(Send.to(PART, "a"), Send.to(PART, "b"), Send.to(PART, "c")),
                PART)
            .edge("part", END)
            .compile();
    graph.invoke(Input.none(), options());
    assertThat(node("inner", "work").finished()).isEqualTo(3);
    assertThat(node("outer", "part").finished()).isEqualTo(3);
    assertThat(metrics.snapshot().supersteps().count()).isEqualTo(5);
    assertThat(metrics.snapshot().runs().started()).isEqualTo(1);
  }

  @Test
  void cached_and_skipped_nodes_are_not_counted_as_runs() throws Exception {
    var cached = NodePolicy.defaults().cache(CachePolicy.by(state -> state.get(LOG).size()));
    var graph =
        graph("g")
            .node("a", (_, _) -> Update.of(SUM, 1L), cached)
            .node("gated", (_, _) -> NodeResult.nothing())
            .runWhenChanged("gated", LOG)
            .edge(START, "a")
            .edge("a", "gated")
            .route("gated", s -> s.get(SUM) < 2 ? "a" : END, "a", END)
            .compile();
    graph.invoke(Input.none(), options().cache(InMemoryNodeCache.holding(10)));
    assertThat(node("g", "a"))
        .returns(1L, Metrics.NodeCounts::started)
        .returns(1L, Metrics.NodeCounts::finished)
        .returns(1L, Metrics.NodeCounts::cached);
    assertThat(node("g", "gated"))
        .returns(1L, Metrics.NodeCounts::started)
        .returns(1L, Metrics.NodeCounts::skipped);
  }

  @Test
  void channels_and_checkpoints_are_counted_as_they_grow() throws Exception {
    var graph =
        graph("g")
            .node("a", (_, _) -> Update.of(LOG, "one"))
            .node("b", (_, _) -> Update.of(LOG, "two").and(SUM, 0L))
            .sequence(START, "a", "b", END)
            .compile();
    graph.invoke(
        Input.of(LOG, "zero"), kept().listener(metrics, Detail.VALUES, Detail.CHECKPOINTS));
    var log = "[\"zero\",\"one\",\"two\"]";
    assertThat(channel("log"))
        .isEqualTo(new Metrics.ChannelCounts("g", "log", 2, 2, log.length(), log.length()));
    assertThat(channel("sum").writers()).isEqualTo(1);
    assertThat(channel("sum").changes()).as("nothing was added").isZero();
    assertThat(metrics.snapshot().checkpoints()).isEqualTo(Map.of("INPUT", 1L, "LOOP", 2L));
    assertThat(metrics.snapshot().events())
        .containsEntry("CHECKPOINTS", 3L)
        .containsEntry("VALUES", 3L);
  }

  @Test
  void a_counter_behind_a_queue_reports_lost_events() {
    var hub = new EventHub();
    var reader = hub.subscribe(EventFilter.all(), Backlog.droppingOldest().withCapacity(1));
    for (int i = 1; i <= 5; i++) hub.on(new Event.RunCompleted(origin(i)));
    hub.close();
    for (var event : reader) metrics.on(event);
    assertThat(metrics.snapshot().lost()).isEqualTo(4);
    assertThat(metrics.snapshot().runs().completed()).isEqualTo(1);
  }

  private static Origin origin(int sequence) {
    return new Origin(
        "r", Optional.empty(), "g", List.of(), sequence, Instant.EPOCH, 0, Map.of(), false);
  }

  @Test
  void a_quantile_comes_from_the_buckets() throws Exception {
    var graph = graph("g").node("a", (state, _) -> waiting(3)).sequence(START, "a", END).compile();
    for (int i = 0; i < 99; i++) graph.invoke(Input.none(), options());
    var slow = graph("g").node("a", (state, _) -> waiting(950)).sequence(START, "a", END).compile();
    slow.invoke(Input.none(), options());
    var took = metrics.snapshot().runs().took();
    assertThat(took.count()).isEqualTo(100);
    assertThat(took.within(0.5)).isEqualTo(Duration.ofMillis(5));
    assertThat(took.within(0.99)).isEqualTo(Duration.ofMillis(5));
    assertThat(took.within(1)).isEqualTo(Duration.ofMillis(950));
    assertThat(took.mean()).isEqualTo(Duration.ofNanos(12_470_000));
    assertThatIllegalArgumentException().isThrownBy(() -> took.within(95));
    assertThat(new RunMetrics().snapshot().runs().took())
        .returns(Duration.ZERO, Latency::mean)
        .returns(Duration.ZERO, t -> t.within(0.5));
  }

  @Test
  void a_snapshot_is_one_json_object_and_stays_as_it_is() throws Exception {
    var graph = graph("g").node("a", (_, _) -> waiting(3)).sequence(START, "a", END).compile();
    graph.invoke(Input.none(), options());
    var before = metrics.snapshot();
    var json = before.json();
    graph.invoke(Input.none(), options());
    assertThat(before.json()).isEqualTo(json);
    assertThat(Codec.of(Metrics.class).decode(json)).isEqualTo(before);
    assertThat(metrics.snapshot().runs().started()).isEqualTo(2);
    assertThat(json.text()).contains("\"runs\":{\"started\":1,", "\"node\":\"a\"");
  }

  @Test
  void many_runs_at_once_are_all_counted() throws Exception {
    var graph =
        graph("g")
            .node("a", (_, _) -> Update.of(SUM, 1L))
            .node("b", (_, _) -> Update.of(SUM, 1L))
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 50; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  graph.invoke(Input.none(), options());
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    for (var thread : threads) thread.join();
    assertThat(metrics.snapshot().runs().completed()).isEqualTo(50);
    assertThat(node("g", "a").finished()).isEqualTo(50);
    assertThat(channel("sum").writers()).isEqualTo(100);
  }
}
