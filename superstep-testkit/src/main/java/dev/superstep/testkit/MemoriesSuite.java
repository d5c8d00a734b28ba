package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.graph.Threads;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Graphs inside that remember, as their threads are run, rewound, forked, copied and deleted. Part
/// of [CheckpointerSuite].
interface MemoriesSuite extends StoreUnderTest {
  Channel<String, String> SAID = Channel.latest("said", String.class);
  Channel<List<String>, String> HEARD = Channel.append("heard", String.class);
  Channel<List<String>, String> RECALLED = Channel.append("recalled", String.class);
  Channel<List<String>, String> TOLD = Channel.append("told", String.class);

  /// Remembers what it is told, and what one inside of it remembers of that.
  private static Graph friend(Subgraph<State> deeper) {
    return Graph.named("friend")
        .channels(SAID, HEARD, RECALLED)
        .node("hear", (state, _) -> Update.of(HEARD, state.get(SAID)))
        .node("deep", deeper)
        .edge(START, "hear")
        .edge("hear", "deep")
        .edge("deep", END)
        .compile();
  }

  private static Graph deep() {
    return Graph.named("deep")
        .channels(SAID, HEARD)
        .node("hear", (state, _) -> Update.of(HEARD, "d" + state.get(SAID)))
        .edge(START, "hear")
        .edge("hear", END)
        .compile();
  }

  /// Tells a friend, who has one of their own, and a visitor, who forgets all but for the same.
  private static Graph talk(Optional<CompleteCheckpointer> other) {
    var deep =
        Subgraph.of(
                deep(),
                (State state) -> Input.of(SAID, state.get(SAID)),
                end -> Update.of(RECALLED, String.join("", end.get(HEARD))))
            .remembering();
    var friend =
        Subgraph.of(
                friend(deep),
                (State state) -> Input.of(SAID, state.get(SAID)),
                end -> Update.of(TOLD, format(end)))
            .remembering();
    var visitor =
        Subgraph.of(
            friend(deep),
            (State state) -> Input.of(SAID, state.get(SAID)),
            end -> Update.of(TOLD, format(end)));
    return Graph.named("talk")
        .channels(SAID, TOLD)
        .node("friend", other.map(friend::checkpointer).orElse(friend))
        .node("visitor", other.map(visitor::checkpointer).orElse(visitor))
        .node("pass", (_, _) -> NodeResult.nothing())
        .route(START, state -> state.get(SAID).isEmpty() ? "pass" : "friend", "pass", "friend")
        .edge("friend", "visitor")
        .edge("visitor", END)
        .edge("pass", END)
        .compile();
  }

  private static String format(State end) {
    return String.join("", end.get(HEARD)) + " / " + end.get(RECALLED).getLast();
  }

  private static RunOptions options(
      CompleteCheckpointer store, String thread, Durability durability) {
    return RunOptions.thread(thread).checkpoints(store).durability(durability);
  }

  private static List<String> send(Graph graph, String what, RunOptions options) throws Exception {
    return switch (graph.invoke(Input.of(SAID, what), options)) {
      case Outcome.Completed(var state) -> state.find(TOLD).orElse(List.of());
      case Outcome other -> throw new AssertionError(other);
    };
  }

  private static List<String> last(List<String> told) {
    return told.subList(Math.max(0, told.size() - 2), told.size());
  }

  private static String newest(CompleteCheckpointer store, String thread) {
    return store.find(thread).orElseThrow().checkpoint().id();
  }

  @Test
  @Tag("T95")
  default void a_rewind_to_before_the_first_visit_can_be_undone(CompleteCheckpointer store)
      throws Exception {
    var graph = talk(Optional.empty());
    var options = options(store, "t", Durability.SYNC);
    send(graph, "", options);
    var before = newest(store, "t");
    send(graph, "a", options);
    var after = newest(store, "t");
    var threads = Threads.in(store);
    threads.rewind("t", before);
    assertThat(last(send(graph, "b", options))).containsExactly("b / db", "b / db");
    threads.rewind("t", after);
    assertThat(last(send(graph, "c", options))).containsExactly("ac / dadc", "c / dadc");
    threads.fork("t", after, "f");
    var fork = options(store, "f", Durability.SYNC);
    assertThat(last(send(graph, "d", fork))).containsExactly("ad / dadd", "d / dadd");
  }

  @Test
  default void a_new_thread_with_the_name_of_a_deleted_one_has_no_memory(CompleteCheckpointer store)
      throws Exception {
    try (var other = CompleteCheckpointer.of(new InMemoryCheckpointer())) {
      for (var where : List.of(Optional.<CompleteCheckpointer>empty(), Optional.of(other))) {
        var graph = talk(where);
        var options = options(store, "t", Durability.SYNC);
        send(graph, "secret", options);
        // Without the other store: as if somebody had deleted the thread behind our back.
        store.delete(History.hold(store, "t"));
        assertThat(last(send(graph, "b", options))).containsExactly("b / db", "b / db");
        assertThat(Threads.in(store).reaching(graph).delete("t")).isTrue();
      }
    }
  }

  @Test
  default void an_operation_without_the_other_store_is_refused_and_changes_nothing(
      CompleteCheckpointer store) throws Exception {
    try (var other = CompleteCheckpointer.of(new InMemoryCheckpointer())) {
      var graph = talk(Optional.of(other));
      var options = options(store, "t", Durability.SYNC);
      send(graph, "a", options);
      var at = newest(store, "t");
      var run = store.find("t").orElseThrow().checkpoint().run();
      var alone = Threads.in(store);
      var refused =
          List.<Runnable>of(
              () -> alone.delete("t"),
              () -> alone.copy("t", "c"),
              () -> alone.fork("t", at, "f"),
              () -> alone.deleteRun(run),
              () -> alone.prune("t", Prune.keepLast(1)));
      for (var call : refused) {
        assertThatThrownBy(call::run)
            .isInstanceOfSatisfying(
                ThreadError.class,
                e -> assertThat(e.reason()).isEqualTo(ThreadError.Reason.ELSEWHERE))
            .hasMessageContaining("friend")
            .hasMessageContaining("visitor");
      }
      assertThat(store.find("c")).isEmpty();
      assertThat(store.find("f")).isEmpty();
      assertThat(store.find("t").orElseThrow().holder()).isEmpty();
      assertThat(last(send(graph, "b", options))).containsExactly("ab / dadb", "b / dadb");
    }
  }

  @Test
  default void a_lost_memory_is_an_error_and_does_not_start_over(CompleteCheckpointer store)
      throws Exception {
    try (var other = CompleteCheckpointer.of(new InMemoryCheckpointer())) {
      var graph = talk(Optional.of(other));
      var options = options(store, "t", Durability.SYNC);
      send(graph, "a", options);
      other.delete(History.hold(other, "t"));
      assertThatThrownBy(() -> send(graph, "b", options))
          .isInstanceOf(NodeFailed.class)
          .hasRootCauseInstanceOf(ThreadError.class)
          .hasMessageContaining("which its store does not have any more");
      assertThat(Threads.in(store).reaching(graph).delete("t")).isTrue();
      assertThat(last(send(graph, "c", options))).containsExactly("c / dc", "c / dc");
    }
  }

  @Test
  default void a_memory_is_that_of_the_thread_whatever_is_done_with_it() throws Exception {
    for (int seed = 0; seed < Integer.getInteger("superstep.histories", 2); seed++) {
      try (var store = CompleteCheckpointer.of(fresh());
          var other = CompleteCheckpointer.of(new InMemoryCheckpointer())) {
        var where = seed % 2 == 0 ? Optional.<CompleteCheckpointer>empty() : Optional.of(other);
        var story = new Story(store, talk(where), new Random(seed));
        for (int i = 0; i < 25; i++) story.next();
        story.end(other);
      }
    }
  }

  /// Threads and what is to be remembered in each: what was said since it was begun, on the way
  /// that led to its newest checkpoint.
  final class Story {
    private final CompleteCheckpointer store;
    private final Graph graph;
    private final Threads threads;
    private final Random random;
    private final Map<String, Map<String, Point>> known = new LinkedHashMap<>();
    private int words;
    private int names;

    /// A checkpoint.
    ///
    /// @param said what has been said when the run that it is of is over
    /// @param isOver whether that is so here
    private record Point(String said, boolean isOver) {}

    Story(CompleteCheckpointer store, Graph graph, Random random) {
      this.store = store;
      this.graph = graph;
      this.threads = Threads.in(store).reaching(graph);
      this.random = random;
    }

    void next() throws Exception {
      if (known.isEmpty()) send("t");
      var thread = List.copyOf(known.keySet()).get(random.nextInt(known.size()));
      if (store.find(thread).isEmpty()) {
        send(thread);
        return;
      }
      var points = known.getOrDefault(thread, Map.of());
      var at = List.copyOf(points.keySet()).get(random.nextInt(points.size()));
      var as = "t" + (names + 1);
      switch (random.nextInt(9)) {
        case 0, 1, 2, 3 -> send(thread);
        case 4, 5 -> {
          threads.rewind(thread, at);
          assertState(thread, Objects.requireNonNull(points.get(at)));
        }
        case 6 -> {
          names++;
          threads.fork(thread, at, as);
          assertState(as, Objects.requireNonNull(points.get(at)));
        }
        case 7 -> {
          names++;
          threads.copy(thread, as);
          known.put(as, new LinkedHashMap<>(points));
        }
        default -> shrink(thread);
      }
    }

    private void shrink(String thread) {
      switch (random.nextInt(3)) {
        case 0 -> {
          threads.delete(thread);
          // The next one of this name begins with nothing.
          known.put(thread, new LinkedHashMap<>());
        }
        case 1 -> threads.prune(thread, Prune.keepLast(1 + random.nextInt(3)));
        default -> {
          var page = store.page(Lineage.of(thread), Optional.empty(), 99);
          var runs = page.stream().map(Checkpoint::run).distinct().toList();
          if (runs.size() > 1) threads.deleteRun(runs.get(random.nextInt(runs.size())));
        }
      }
      // What is gone cannot be gone back to; a run may have been written to several threads.
      known.forEach((name, points) ->
          points.keySet().removeIf(id -> store.byId(Lineage.of(name), id).isEmpty()));
    }

    private Optional<Point> head(String thread) {
      var points = known.getOrDefault(thread, Map.of());
      return store.find(thread).map(head -> points.get(head.checkpoint().id()));
    }

    private void assertState(String thread, Point point) {
      known.computeIfAbsent(thread, _ -> new LinkedHashMap<>()).put(newest(store, thread), point);
    }

    private void send(String thread) throws Exception {
      var durability = List.of(Durability.values()).get(random.nextInt(3));
      var options = options(store, thread, durability);
      var before = head(thread);
      boolean goesOn = before.isPresent() && !before.get().isOver();
      var word = random.nextInt(4) == 0 ? "" : String.valueOf((char) ('a' + words++ % 26));
      var outcome =
          goesOn
              ? graph.resume(Answers.none(), options)
              : graph.invoke(Input.of(SAID, word), options);
      var all = before.map(Point::said).orElse("") + (goesOn ? "" : word);
      assertThat(outcome).isInstanceOf(Outcome.Completed.class);
      var told = ((Outcome.Completed) outcome).state().find(TOLD).orElse(List.of());
      if (!all.isEmpty() && (goesOn || !word.isEmpty())) {
        var deep = all.replaceAll("(.)", "d$1");
        var why = "%s of %s: %s".formatted(durability, thread, told);
        var end = all.substring(all.length() - 1);
        var expected = List.of(all + " / " + deep, end + " / " + deep);
        if (!goesOn) assertThat(last(told)).as(why).isEqualTo(expected);
      }
      var points = known.computeIfAbsent(thread, _ -> new LinkedHashMap<>());
      for (var at : store.page(Lineage.of(thread), Optional.empty(), 99)) {
        boolean isOver = at.progress().next().isEmpty();
        points.putIfAbsent(at.id(), new Point(all, isOver));
      }
    }

    /// Checks that nothing of a thread is left anywhere when all threads are deleted.
    void end(CompleteCheckpointer other) throws Exception {
      var all = List.copyOf(known.keySet());
      for (var thread : all) send(thread);
      for (var thread : all) threads.delete(thread);
      for (var thread : all) {
        for (var one : List.of(store, other)) {
          var lease = History.hold(one, "left of " + thread);
          assertThat(one.copy(lease, thread)).as(thread).isFalse();
          one.release(lease);
        }
      }
    }
  }
}
