package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.error.ReducerFailed;
import dev.superstep.graph.internal.kernel.ChannelIndex;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.Folding;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A channel that stores what was written, and is what it would be if it stored its value.
@Tag("T76")
class DeltaTest {
  /// Depends on the order of everything.
  record Sum(long hash, int writes) {
    Sum plus(Part part) {
      if (part.text().equals("nothing")) return this;
      return new Sum(hash * 31 + part.text().hashCode(), writes + 1);
    }
  }

  record Part(String text) {}

  static final Channel<Sum, Part> DELTA =
      Channel.delta("delta", Sum.class, Part.class, new Sum(7, 0), Sum::plus).snapshotEvery(10);
  static final Channel<Sum, Part> FOLDING =
      Channel.folding("folding", Sum.class, Part.class, new Sum(7, 0), Sum::plus);
  static final Channel<Long, Long> SEED = Channel.latest("seed", Long.class);

  /// Writes the same to both.
  static Update both(SplittableRandom random, String who) {
    var update = new Update(List.of());
    if (random.nextInt(25) == 0 && who.equals("b")) {
      var value = new Sum(random.nextLong(), 1);
      update = update.and(Update.overwrite(DELTA, value)).and(Update.overwrite(FOLDING, value));
    }
    for (int i = random.nextInt(5); i > 0; i--) {
      var part = new Part(random.nextInt(3) == 0 ? "nothing" : who + random.nextInt(100));
      update = update.and(DELTA, part).and(FOLDING, part);
    }
    return update;
  }

  static final Node WRITE =
      (state, context) -> {
        var seed = state.get(SEED) * 31 + context.node().hashCode() + context.step();
        return both(new SplittableRandom(seed), context.node());
      };

  static Graph graph(Channel<Sum, Part> delta) {
    return Graph.named("deltas")
        .channels(delta, FOLDING, SEED)
        .node("a", WRITE)
        .node("b", WRITE)
        .node("c", WRITE)
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", "c")
        .edge("c", END)
        .edge("b", END)
        .compile();
  }

  static void assertSame(State state) {
    assertThat(state.get(DELTA)).isEqualTo(state.get(FOLDING));
    assertThat(state.version(DELTA)).isEqualTo(state.version(FOLDING));
  }

  @Test
  void a_delta_equals_the_folded_value_after_every_superstep_restart_and_in_old_checkpoints()
      throws Exception {
    int snapshots = 0;
    for (int thread = 0; thread < 12; thread++) {
      var store = new InMemoryCheckpointer();
      var options = RunOptions.thread("t").checkpoints(store).concurrency(thread % 2 == 0 ? 1 : 64);
      var live = new ArrayList<Sum>();
      for (long turn = 0; turn < 12; turn++) {
        // A new graph object knows nothing of the one before.
        var state = completed(graph(DELTA).invoke(Input.of(SEED, thread * 100 + turn), options));
        assertSame(state);
        live.add(state.get(DELTA));
        assertSame(graph(DELTA).state(options).orElseThrow().state());
      }
      var codec = new CheckpointCodec(graph(DELTA).compiled());
      var ends = new ArrayList<Sum>();
      for (var checkpoint : store.page(Lineage.of("t"), Optional.empty(), 1_000)) {
        var saved = store.byId(Lineage.of("t"), checkpoint.id()).orElseThrow();
        var state = codec.snapshot(saved);
        assertSame(state);
        if (checkpoint.progress().next().isEmpty()) ends.addFirst(state.get(DELTA));
        int items = items(saved.channels());
        assertThat(items).as("what is read").isLessThanOrEqualTo(11);
        if (items == 1) snapshots++;
      }
      assertThat(ends).isEqualTo(live);
    }
    assertThat(snapshots).isGreaterThan(12);
  }

  static int items(List<SavedChannel> channels) {
    for (var channel : channels) {
      if (!channel.name().equals("delta")) continue;
      return ((SavedChannel.Content.Items) channel.content()).items().size();
    }
    return 0;
  }

  @Test
  void how_often_the_value_is_stored_may_change_while_a_thread_is_under_way() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    for (int turn = 0; turn < 30; turn++) {
      var delta = DELTA.snapshotEvery(turn % 7 == 0 ? 1_000 : 1 + turn % 3);
      var graph =
          Graph.named("turns")
              .channels(delta, FOLDING)
              .node(
                  "a",
                  (state, context) -> {
                    var part = new Part("p" + context.step());
                    return Update.of(delta, part).and(FOLDING, part);
                  })
              .edge(START, "a")
              .edge("a", END)
              .compile();
      var state = completed(graph.invoke(Input.none(), options));
      assertThat(state.get(delta)).isEqualTo(state.get(FOLDING));
    }
  }

  @Test
  void a_superstep_stores_its_writes_and_not_the_value() throws Exception {
    var text =
        Channel.delta("delta", String.class, String.class, "x".repeat(10_000), String::concat);
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph =
        Graph.named("small")
            .channels(text)
            .node("a", (_, _) -> Update.of(text, "a").and(text, "b"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    completed(graph.invoke(Input.none(), options));
    completed(graph.invoke(Input.none(), options));
    var saved = store.latest(Lineage.of("t")).orElseThrow().channels().getFirst();
    var items = ((SavedChannel.Content.Items) saved.content()).items();
    assertThat(items).hasSize(2);
    assertThat(items.getFirst().text()).startsWith("{\"type\":\"Whole\",\"value\":\"xxx");
    assertThat(items.getLast().text()).isEqualTo("{\"type\":\"Written\",\"writes\":[\"a\",\"b\"]}");
  }

  @Test
  void a_graph_with_another_initial_value_reads_stored_threads() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var written = new HashMap<String, String>();
    for (var start : List.of("old", "new")) {
      var text = Channel.delta("text", String.class, String.class, start, String::concat);
      var graph =
          Graph.named("g")
              .channels(text)
              .node("a", (_, _) -> Update.of(text, "+"))
              .edge(START, "a")
              .edge("a", END)
              .compile();
      written.put(start, completed(graph.invoke(Input.none(), options)).get(text));
    }
    assertThat(written).containsEntry("old", "old+").containsEntry("new", "old++");
  }

  @Test
  @Tag("X10")
  void a_function_that_returns_its_argument_changes_nothing() throws Exception {
    var state = Snapshot.initial(new ChannelIndex("g", List.of(DELTA)));
    var cells = state.copyCells();
    var folding = new Folding(state.index());
    folding.add(null, Update.of(DELTA, new Part("nothing")).writes());
    assertThat(folding.into(cells)).isEmpty();
    assertThat(cells.version(0)).isZero();
  }

  @Test
  void stored_items_that_are_none_and_functions_that_throw_are_typed_errors() {
    var items = DELTA.items().orElseThrow();
    thrown(
        MalformedJson.class,
        () -> items.decode(List.of(dev.superstep.json.Json.parse("{\"type\":\"Thread\"}"))));
    var bad =
        Channel.<Sum, Part>delta(
            "delta",
            Sum.class,
            Part.class,
            new Sum(7, 0),
            (_, _) -> {
              throw new IllegalStateException("on purpose");
            });
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var error =
        thrown(
            ReducerFailed.class,
            () -> {
              completed(graph(DELTA).invoke(Input.of(SEED, 5L), options));
              completed(graph(DELTA).invoke(Input.of(SEED, 6L), options));
              new CheckpointCodec(graph(bad).compiled())
                  .snapshot(store.latest(Lineage.of("t")).orElseThrow());
            });
    assertThat(error.channel()).isEqualTo("delta");
  }

  @Test
  void only_deltas_have_snapshots_and_only_plain_lists_drop_items() {
    thrown(IllegalArgumentException.class, () -> FOLDING.snapshotEvery(5));
    thrown(IllegalArgumentException.class, () -> DELTA.snapshotEvery(0));
    thrown(IllegalArgumentException.class, () -> DELTA.keepLast(5));
    thrown(
        IllegalArgumentException.class, () -> Channel.gather("parts", String.class, 2).keepLast(5));
  }
}
