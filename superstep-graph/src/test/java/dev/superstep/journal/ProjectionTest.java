package dev.superstep.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.event.RunStatus;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Threads;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a journal tells is put together to a value, which can be cached and gone on from.
@Tag("T58")
final class ProjectionTest {
  private final Desk desk = new Desk();

  /// Counts entries, and how many it was given.
  private record Counting(int version, AtomicInteger given) implements Projection<Long> {
    Counting(int version) {
      this(version, new AtomicInteger());
    }

    @Override
    public String name() {
      return "count";
    }

    @Override
    public Codec<Long> codec() {
      return Codec.of(Long.class);
    }

    @Override
    public Long initial() {
      return 0L;
    }

    @Override
    public Long fold(Long value, Entry entry) {
      given.incrementAndGet();
      return value + 1;
    }
  }

  @Test
  void a_cached_projection_continues_from_its_offset() throws Exception {
    desk.ask("red");
    var first = desk.journal().project(new Counting(1));
    assertThat(first.value()).isEqualTo(desk.journal().lastOffset()).isEqualTo(first.offset());
    assertThat(desk.journal().isStale(first)).isFalse();
    desk.ask("blue");
    assertThat(desk.journal().isStale(first)).isTrue();
    var counting = new Counting(1);
    var next = desk.journal().project(counting, Json.parse(first.json().text()));
    assertThat(next).extracting(ProjectionResult::value).isEqualTo(desk.journal().lastOffset());
    assertThat(counting.given()).hasValue((int) (next.offset() - first.offset()));
  }

  @Test
  void a_cached_projection_of_another_version_thread_or_filter_is_recomputed() throws Exception {
    desk.ask("red");
    var cached = desk.journal().project(new Counting(1)).json();
    int all = (int) desk.journal().lastOffset();
    var newer = new Counting(2);
    assertThat(desk.journal().project(newer, cached).version()).isEqualTo(2);
    assertThat(newer.given()).hasValue(all);
    var other = new Desk(desk.store, "u");
    other.ask("red");
    var elsewhere = new Counting(1);
    assertThat(other.journal().project(elsewhere, cached).value()).isEqualTo(all);
    assertThat(elsewhere.given()).hasValue(all);
    var some = desk.journal().only(EntryFilter.all().kinds("node.finished"));
    assertThat(some.project(new Counting(1), cached).value()).isEqualTo(2);
  }

  @Test
  void a_cached_projection_of_a_recreated_thread_is_recomputed() throws Exception {
    desk.ask("red");
    var cached = desk.journal().project(new Counting(1));
    Threads.in(desk.store).delete("t");
    desk.ask("red");
    desk.ask("blue");
    assertThat(desk.journal().isStale(cached)).isTrue();
    var next = desk.journal().project(new Counting(1), cached.json());
    assertThat(next.value()).isEqualTo(desk.journal().lastOffset());
  }

  @Test
  void a_cached_projection_continues_after_its_journal_was_trimmed() throws Exception {
    desk.ask("red");
    var cached = desk.journal().project(new Counting(1));
    Threads.in(desk.store).trimJournal("t", cached.offset());
    assertThat(desk.journal().isStale(cached)).isFalse();
    desk.ask("blue");
    var next = desk.journal().project(new Counting(1), cached.json());
    assertThat(next.value()).isEqualTo(desk.journal().lastOffset());
  }

  @Test
  @Tag("T56")
  @Tag("T102")
  void the_status_has_the_state_of_the_thread_and_no_texts() throws Exception {
    var graph = Desk.asking();
    assertThat(desk.journal().project(Projections.status()).value().newest()).isEmpty();
    var question = Desk.asked(graph.invoke(Input.none(), desk.options()));
    var asked = desk.journal().project(Projections.status());
    var status = asked.value().newest().orElseThrow();
    assertThat(status.stage()).isEqualTo(RunStatus.Stage.INTERRUPTED);
    assertThat(status.questions()).containsExactly(question.id());
    assertThat(status.sequence()).isEqualTo(asked.offset());
    assertThat(asked.value().checkpoint()).isEqualTo(checkpoint());
    graph.resume(Answers.of(question.id(), "a secret colour"), desk.options());
    var ended = desk.journal().project(Projections.status(), asked.json());
    assertThat(ended.value().runs()).isEqualTo(2);
    assertThat(ended.value().newest().orElseThrow().stage()).isEqualTo(RunStatus.Stage.COMPLETED);
    assertThat(ended.value().newest().orElseThrow().questions()).isEmpty();
    assertThat(ended.value().checkpoint()).isEqualTo(checkpoint());
    assertThat(ended.json().text()).doesNotContain("secret", "which colour?");
    assertThat(ended).isEqualTo(desk.journal().project(Projections.status()));
  }

  private Optional<String> checkpoint() {
    return Threads.in(desk.store).find("t").map(head -> head.checkpoint().id());
  }

  @Test
  @Tag("T56")
  void the_status_of_a_rewound_thread_is_its_new_checkpoint_without_a_run() throws Exception {
    desk.ask("red");
    var threads = Threads.in(desk.store);
    var oldest = threads.history("t", Optional.empty(), 10).getLast().id();
    var made = threads.rewind("t", oldest);
    var status = desk.journal().project(Projections.status()).value();
    assertThat(status.checkpoint()).contains(made.id());
    assertThat(status.newest().orElseThrow().stage()).isEqualTo(RunStatus.Stage.COMPLETED);
    assertThat(status.runs()).isEqualTo(2);
  }

  /// One node that needs so long by the clock of the run.
  private void take(AtomicReference<Instant> now, Duration time) throws InterruptedException {
    var graph =
        Desk.of((_, _) -> {
          now.updateAndGet(at -> at.plus(time));
          return Update.of(Desk.SAID, "a");
        });
    graph.invoke(Input.none(), desk.options().clock(now::get));
  }

  @Test
  @Tag("T60")
  void the_timing_has_the_durations_of_runs_and_nodes() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));
    take(now, Duration.ofSeconds(2));
    var first = desk.journal().project(Projections.timing());
    take(now, Duration.ofSeconds(4));
    var timing = desk.journal().project(Projections.timing(), first.json()).value();
    assertThat(timing.runs().count()).isEqualTo(2);
    assertThat(timing.runs().total()).isEqualTo(Duration.ofSeconds(6));
    assertThat(timing.nodes()).hasSize(1);
    var node = timing.nodes().getFirst();
    assertThat(node.graph() + "/" + node.node()).isEqualTo("g/a");
    assertThat(node.took().mean()).isEqualTo(Duration.ofSeconds(3));
    assertThat(node.took().longest()).isEqualTo(Duration.ofSeconds(4));
    assertThat(node.took().within(0.5)).isEqualTo(Duration.ofSeconds(2));
    assertThat(timing.tasks().all()).isEmpty();
    assertThat(timing.began()).isEmpty();
  }

  @Test
  @Tag("T60")
  void unfinished_nodes_are_not_timed() throws Exception {
    var graph = Desk.asking();
    graph.invoke(Input.none(), desk.options());
    var timing = desk.journal().project(Projections.timing()).value();
    assertThat(timing.nodes()).extracting(Timing.NodeTime::node).containsExactly("a");
    var begun = desk.journal().only(EntryFilter.all().kinds("run.started", "node.started"));
    var open = begun.project(Projections.timing()).value();
    assertThat(open.nodes()).isEmpty();
    assertThat(open.runs().count()).isZero();
    assertThat(open.tasks().all()).extracting(RunStatus.ActiveTask::node).containsExactly("a", "b");
  }

  @Test
  @Tag("T60")
  void the_health_has_the_failures_of_each_node() throws Exception {
    var attempts = new AtomicInteger();
    var retried = NodePolicy.defaults().retry(Retry.of(2).when(_ -> true));
    var skipped = NodePolicy.defaults().onFailure(OnFailure.skip());
    var graph =
        Graph.named("g")
            .channels(Desk.SAID)
            .node("flaky", (_, _) -> fails(attempts.incrementAndGet() == 1), retried)
            .node("skipped", (_, _) -> fails(true), skipped)
            .node("broken", (_, _) -> fails(attempts.incrementAndGet() < 4))
            .edge(Graph.START, "flaky")
            .edge("flaky", "skipped")
            .edge("skipped", "broken")
            .edge("broken", Graph.END)
            .compile();
    var options = desk.options().sleeper(_ -> {});
    assertThatThrownBy(() -> graph.invoke(Input.none(), options)).isNotNull();
    var cached = desk.journal().project(Projections.health());
    graph.resume(Answers.none(), options);
    var health = desk.journal().project(Projections.health(), cached.json()).value();
    assertThat(health.of("g", "flaky")).isEqualTo(new Health.NodeHealth("g", "flaky", 1, 1, 0, 1));
    assertThat(health.of("g", "flaky").failureRate()).isZero();
    assertThat(health.of("g", "skipped"))
        .isEqualTo(new Health.NodeHealth("g", "skipped", 1, 0, 1, 0));
    assertThat(health.of("g", "skipped").failureRate()).isEqualTo(1);
    assertThat(health.of("g", "broken"))
        .isEqualTo(new Health.NodeHealth("g", "broken", 2, 1, 1, 0));
    assertThat(health.of("g", "broken").failureRate()).isEqualTo(0.5);
    assertThat(health.of("g", "never").failureRate()).isZero();
  }

  private static Update fails(boolean now) {
    if (now) throw new IllegalStateException("broken");
    return Update.of(Desk.SAID, "well");
  }
}
