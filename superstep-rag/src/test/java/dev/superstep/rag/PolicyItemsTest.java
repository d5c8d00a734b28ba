package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Nodes that fail, take long, run often or have run before.
class PolicyItemsTest {
  private final Bench bench = new Bench().steps("a", "b", "c");
  private final AtomicInteger runs = new AtomicInteger();
  private final List<Duration> waits = new CopyOnWriteArrayList<>();

  private RunOptions options() {
    return RunOptions.defaults().sleeper(waits::add);
  }

  /// A function that fails so many times, then writes its name.
  private void failing(int times) {
    bench.function(
        "flaky",
        (_, _) -> {
          if (runs.incrementAndGet() <= times) throw new IOException("no luck");
          return Update.of(Bench.TRACE, "flaky");
        });
  }

  private static String flaky(String items) {
    return """
    graph g {
      channel trace append of text
      channel failures append of failure
      start flaky
      node flaky { kind function function "flaky" %s next b }
      node b { kind function function "b" }
    }
    """
        .formatted(items);
  }

  private Json run(String text) throws Exception {
    var graph = bench.graph(text);
    return graph.export(Bench.run(graph, Map.of(), options()));
  }

  @Test
  @Tag("R26")
  @Tag("W1")
  void a_failed_node_is_tried_again_as_often_as_it_says() throws Exception {
    failing(2);
    assertThat(run(flaky("retry { max_attempts 3 }")).text()).contains("[\"flaky\",\"b\"]");
    runs.set(0);
    assertThatThrownBy(() -> run(flaky("retry { max_attempts 2 }")))
        .isInstanceOf(RagRunFailed.class)
        .hasMessage("desk.rag:5:8: node `flaky` failed in step 1 after 2 attempts: no luck");
    runs.set(0);
    assertThatThrownBy(() -> run(flaky(""))).hasMessageContaining("failed in step 1: no luck");
  }

  @ParameterizedTest
  @Tag("R26")
  @CsvSource({
    "backoff fixed initial 2s max 9s, '2,2,2'",
    "backoff exponential initial 2s max 9s, '2,4,8'",
    "initial 2s factor 3 max 9s, '2,6,9'",
  })
  void waits_grow_as_the_backoff_says(String backoff, String seconds) throws Exception {
    failing(3);
    run(flaky("retry { max_attempts 4 jitter none " + backoff + " }"));
    assertThat(waits.stream().map(wait -> "" + wait.toSeconds()).toList())
        .containsExactly(seconds.split(","));
    waits.clear();
    runs.set(0);
    run(flaky("retry { max_attempts 4 jitter full " + backoff + " }"));
    assertThat(waits).hasSize(3);
    assertThat(waits.getFirst()).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void the_retry_budget_of_a_run_ends_retries() throws Exception {
    failing(2);
    var text = flaky("retry { max_attempts 3 }");
    assertThatThrownBy(() -> run(text.replace("start", "defaults { retry_budget 1 } start")))
        .hasMessageContaining("no luck");
    assertThat(runs).hasValue(2);
  }

  @ParameterizedTest
  @Tag("W1")
  @ValueSource(strings = {"timeout", "idle_timeout"})
  void a_node_that_takes_too_long_fails(String item) throws Exception {
    var never = new CountDownLatch(1);
    bench.function(
        "flaky",
        (_, _) -> {
          never.await();
          return Update.of(Bench.TRACE, "flaky");
        });
    assertThatThrownBy(() -> run(flaky(item + " 20ms")))
        .isInstanceOf(RagRunFailed.class)
        .hasRootCauseInstanceOf(NodeTimedOut.class);
    never.countDown();
    assertThat(run(flaky(item + " 60s")).text()).contains("flaky");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "on_failure skip | [\"b\"] | 0",
        "on_failure fallback { trace \"instead\" } | [\"instead\",\"b\"] | 0",
        "on_failure skip record failures | [\"b\"] | 1",
        "on_failure fallback { trace \"instead\" } record failures | [\"instead\",\"b\"] | 1",
      })
  void a_failure_is_handled_as_the_node_says(String item, String trace, int recorded)
      throws Exception {
    failing(9);
    var fields = JsonFields.of(run(flaky(item)));
    assertThat(fields.get("trace")).isEqualTo(Json.parse(trace));
    assertThat(fields.get("failures").text().contains("no luck")).isEqualTo(recorded == 1);
    assertThatThrownBy(() -> run(flaky("on_failure abort"))).hasMessageContaining("no luck");
  }

  @Test
  void a_failure_may_be_routed_to_a_handler() throws Exception {
    failing(9);
    bench.sent(
        "handle",
        (failure, _, _) ->
            Update.of(Bench.TRACE, "handled " + failure.toString().contains("no luck")));
    var text =
        flaky("on_failure route handle")
            .replace("node b {", "node handle { kind function function \"handle\" }\n  node b {");
    assertThat(JsonFields.of(run(text)).get("trace")).isEqualTo(Json.parse("[\"handled true\"]"));
  }

  @Test
  void a_node_may_run_so_often() {
    bench.router("again", _ -> "again");
    var text =
        """
        graph g {
          channel trace append of text
          start a
          node a { kind function function "a" %s router "again" routes { again -> a  out -> END } }
        }
        """;
    assertThatThrownBy(() -> run(text.formatted("visits 3")))
        .isInstanceOf(RagRunFailed.class)
        .hasRootCauseInstanceOf(VisitLimitReached.class);
    assertThat(bench.ran).hasSize(3);
  }

  private static final String MANY =
      """
      graph g {
        channel trace append of text
        start { sends [send work "parts"] }
        node work { kind function function "work" argument int %s }
      }
      """;

  @ParameterizedTest
  @CsvSource({"concurrency 1, 1", "concurrency 2, 2"})
  void so_many_tasks_of_a_node_run_at_once(String item, int most) throws Exception {
    var now = new AtomicInteger();
    var highest = new AtomicInteger();
    bench.mapping("parts", _ -> List.of(1, 2, 3, 4, 5, 6));
    bench.sent(
        "work",
        (_, _, _) -> {
          highest.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.yield();
          now.decrementAndGet();
          return Update.of(Bench.TRACE, "x");
        });
    run(MANY.formatted(item));
    assertThat(highest.get()).isLessThanOrEqualTo(most);
  }

  @Test
  void all_tasks_may_run_at_once_unless_the_text_limits_them() throws Exception {
    var all = new CountDownLatch(6);
    bench.mapping("parts", _ -> List.of(1, 2, 3, 4, 5, 6));
    bench.sent(
        "work",
        (_, _, _) -> {
          all.countDown();
          all.await();
          return Update.of(Bench.TRACE, "x");
        });
    assertThat(run(MANY.formatted("")).text()).contains("\"x\",\"x\",\"x\",\"x\",\"x\",\"x\"");
  }

  @Test
  void the_priority_decides_who_begins_first() throws Exception {
    var text =
        """
        graph g {
          defaults { concurrency 1 }
          channel trace append of text
          start [a, b]
          node a { kind function function "a" }
          node b { kind function function "b" %s }
        }
        """;
    run(text.formatted(""));
    assertThat(bench.ran).containsExactly("a", "b");
    bench.ran.clear();
    run(text.formatted("priority 5"));
    assertThat(bench.ran).containsExactly("b", "a");
  }

  @Test
  void a_rate_makes_tasks_wait() throws Exception {
    bench.mapping("parts", _ -> List.of(1, 2, 3));
    bench.sent("work", (_, _, _) -> Update.of(Bench.TRACE, "x"));
    var clock = ManualClock.at(java.time.Instant.EPOCH);
    var graph = bench.graph(MANY.formatted("rate 1 per 1m"));
    Bench.run(
        graph,
        Map.of(),
        RunOptions.defaults()
            .clock(clock)
            .sleeper(time -> {
              waits.add(time);
              clock.advance(time);
            }));
    assertThat(waits.stream().mapToLong(Duration::toSeconds).sum()).isGreaterThanOrEqualTo(120);
    waits.clear();
    Bench.run(bench.graph(MANY.formatted("")), Map.of(), options());
    assertThat(waits).isEmpty();
  }

  private static String cached(String cache) {
    return """
    graph g {
      input { q text }
      channel trace append of text
      start a
      node a { kind function function "a" %s }
    }
    """
        .formatted(cache);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'' | 3",
        "cache { by [q] } | 2",
        "cache { key \"constant\" } | 1",
        "cache { by [q] ttl 1h version \"2\" } | 2",
      })
  void a_result_is_used_again_for_the_same_key(String item, int times) throws Exception {
    bench.mapping("constant", _ -> "one");
    var cache = InMemoryNodeCache.holding(100);
    var graph = bench.graph(cached(item));
    for (var q : List.of("x", "x", "y")) {
      Bench.run(graph, Map.of("q", q), RunOptions.defaults().cache(cache));
    }
    assertThat(bench.ran).hasSize(times);
  }

  @Test
  void a_cached_result_is_not_used_after_its_time_nor_for_another_version() throws Exception {
    var cache = InMemoryNodeCache.holding(100);
    var clock = ManualClock.at(java.time.Instant.EPOCH);
    var options = RunOptions.defaults().cache(cache).clock(clock);
    var graph = bench.graph(cached("cache { by [q] ttl 1h }"));
    Bench.run(graph, Map.of("q", "x"), options);
    clock.advance(Duration.ofHours(2));
    Bench.run(graph, Map.of("q", "x"), options);
    assertThat(bench.ran).hasSize(2);
    Bench.run(graph, Map.of("q", "x"), options);
    assertThat(bench.ran).hasSize(2);
    var newer = bench.graph(cached("cache { by [q] ttl 1h version \"2\" }"));
    Bench.run(newer, Map.of("q", "x"), options);
    assertThat(bench.ran).hasSize(3);
  }

  @Test
  @Tag("R25")
  void cache_disabled_runs_every_node() throws Exception {
    var cache = InMemoryNodeCache.holding(100);
    var text =
        cached("cache { by [q] }")
            .replace("channel trace", "defaults { cache disabled } channel trace");
    var graph = bench.graph(text);
    Bench.run(graph, Map.of("q", "x"), RunOptions.defaults().cache(cache));
    Bench.run(graph, Map.of("q", "x"), RunOptions.defaults().cache(cache));
    assertThat(bench.ran).hasSize(2);
  }

  @Test
  void arguments_are_a_key_by_themselves() throws Exception {
    bench.mapping("parts", _ -> List.of(1, 2, 1));
    bench.sent(
        "work",
        (_, _, _) -> {
          runs.incrementAndGet();
          return Update.of(Bench.TRACE, "x");
        });
    var cache = InMemoryNodeCache.holding(100);
    var graph = bench.graph(MANY.formatted("cache { by [] } concurrency 1"));
    Bench.run(graph, Map.of(), RunOptions.defaults().cache(cache));
    Bench.run(graph, Map.of(), RunOptions.defaults().cache(cache));
    assertThat(runs.get()).isLessThanOrEqualTo(3);
  }

  @Test
  @Tag("R25")
  void defaults_of_nodes_hold_where_a_node_says_nothing() throws Exception {
    failing(1);
    var text = flaky("").replace("start", "defaults { node { retry { max_attempts 2 } } } start");
    assertThat(run(text).text()).contains("flaky");
    runs.set(0);
    var own =
        flaky("retry { max_attempts 1 }")
            .replace("start", "defaults { node { retry { max_attempts 2 } } } start");
    assertThatThrownBy(() -> run(own)).hasMessageContaining("no luck");
  }
}
