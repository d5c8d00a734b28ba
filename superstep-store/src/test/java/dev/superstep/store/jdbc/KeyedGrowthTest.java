package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What channels whose items have keys take on disk, and that they read back.
final class KeyedGrowthTest {
  private static final int KIB = 1_024;

  private record Item(String id, String text) {}

  private static final Channel<Long, Long> STEPS = Channel.sum("steps");
  private static final Channel<Map<String, String>, Map<String, String>> MAP =
      Channel.merge("map", String.class);
  private static final Channel<Set<String>, String> SET = Channel.union("set", String.class);
  private static final Channel<List<Item>, Item> LIST = Channel.byId("list", Item.class, Item::id);

  @TempDir Path folder;

  /// A way to change a channel, by the number of the superstep.
  private enum Way {
    NEW_KEYS,
    ONE_KEY,
    EARLY_KEYS,
    ELEMENTS,
    NEW_ITEMS,
    EARLY_ITEMS;

    private static final int EARLY = 10;

    Update update(long step) {
      var text = step + "x".repeat(KIB);
      var update = Update.of(STEPS, 1L);
      return switch (this) {
        case NEW_KEYS -> update.and(MAP, Map.of("k" + step, text));
        case ONE_KEY -> update.and(MAP, Map.of("k", text));
        case EARLY_KEYS -> update.and(MAP, Map.of("k" + step % EARLY, text));
        case ELEMENTS -> update.and(SET, text);
        case NEW_ITEMS -> update.and(LIST, new Item("i" + step, text));
        case EARLY_ITEMS -> update.and(LIST, new Item("i" + step % EARLY, text));
      };
    }

    void check(State state, int steps) {
      int distinct =
          this == ONE_KEY ? 1 : this == EARLY_KEYS || this == EARLY_ITEMS ? EARLY : steps;
      assertThat(state.get(MAP).size() + state.get(SET).size() + state.get(LIST).size())
          .isEqualTo(Math.min(distinct, steps));
    }
  }

  private static Graph loop(Node node, int steps) {
    return Graph.named("loop")
        .channels(STEPS, MAP, SET, LIST)
        .node("work", node)
        .edge(START, "work")
        .route("work", s -> s.get(STEPS) < steps ? "work" : END, "work", END)
        .compile();
  }

  /// Rows of logs and of values, and the bytes in them, after so many supersteps.
  private long[] cost(Way way, int steps) throws Exception {
    var graph = loop((state, _) -> way.update(state.get(STEPS)), steps);
    var file = folder.resolve(way + "-" + steps + ".db");
    try (var store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("t").checkpoints(store).stepLimit(steps + 1);
      assertThat(graph.invoke(Input.none(), options)).isInstanceOf(Outcome.Completed.class);
      // Read back from the file.
      way.check(graph.state(options).orElseThrow().state(), steps);
      return store.write(sql ->
          sql.first(
                  "select count(*), sum(length(json)) from"
                      + " (select json from log_item union all select json from value)",
                  row -> new long[] {row.getLong(1), row.getLong(2)})
              .orElseThrow());
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void four_times_the_changes_take_four_times_the_rows_and_bytes(Way way) throws Exception {
    var few = cost(way, 100);
    var many = cost(way, 400);
    // With each change comes at most one that is written anew.
    assertThat(few[0]).isLessThanOrEqualTo(2 * 100);
    assertThat(many[0]).isLessThanOrEqualTo(2 * 400);
    assertThat(many[1]).isLessThan(few[1] * 5);
    assertThat(many[1]).isLessThan(2L * 400 * (KIB + 64));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  @Tag("long")
  void the_cost_per_change_is_constant_up_to_a_hundred_thousand(Way way) throws Exception {
    var report = new StringBuilder(way + ":");
    for (int steps = 10; steps <= 100_000; steps *= 10) {
      long start = System.nanoTime();
      var cost = cost(way, steps);
      long micros = (System.nanoTime() - start) / 1_000;
      report.append(
          " %,d steps: %.2f rows, %,d bytes, %,d us each;"
              .formatted(steps, (double) cost[0] / steps, cost[1] / steps, micros / steps));
      assertThat(cost[0]).isLessThanOrEqualTo(2L * steps);
    }
    System.out.println(report);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_value_stored_as_a_whole_is_read_and_continues_as_a_log(Durability durability)
      throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("old.db"))) {
      var graph =
          loop(
              (s, _) ->
                  Update.of(STEPS, 1L)
                      .and(MAP, Map.of("k" + s.get(STEPS), "new"))
                      .and(SET, "e" + s.get(STEPS)),
              5);
      var options = RunOptions.thread("thread").checkpoints(store).durability(durability);
      beginWhole(store, graph);
      var end = (Outcome.Completed) graph.invoke(Input.none(), options);
      for (var state : List.of(end.state(), state(graph, options).state())) {
        assertThat(List.copyOf(state.get(MAP).keySet())).containsExactly("z", "k2", "k3", "k4");
        assertThat(state.get(SET)).containsExactly("y", "e2", "e3", "e4");
      }
      var kept = store.latest(Commits.LINEAGE).orElseThrow();
      assertThat(kept.channels())
          .filteredOn(channel -> channel.name().equals("map"))
          .allMatch(channel -> channel.content() instanceof SavedChannel.Content.Items);
    }
  }

  private static ThreadState state(Graph graph, RunOptions options) {
    return graph.state(options).orElseThrow();
  }

  /// As format 1 had it, at the end of a run.
  private static void beginWhole(SqliteCheckpointer store, Graph graph) {
    var lease = Commits.hold(store);
    var made = Commits.on(Optional.empty(), "first", 0).checkpoint();
    var first =
        new Checkpoint(
            1,
            made.id(),
            made.parent(),
            made.generation(),
            made.step(),
            made.source(),
            made.at(),
            made.run(),
            graph.name(),
            graph.topology().hash(),
            Progress.of(List.of()),
            Map.of());
    var changes = new ArrayList<ChannelChange>();
    changes.add(Commits.whole("steps", 1, Json.of(2)));
    changes.add(Commits.whole("map", 1, Json.parse("{\"z\":\"old\",\"k2\":\"old\"}")));
    changes.add(Commits.whole("set", 1, Json.parse("[\"y\",\"e2\"]")));
    assertThat(store.commit(lease, new Commit(Commits.LINEAGE, first, changes))).isTrue();
    store.release(lease);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void forks_rewinds_copies_and_pruned_threads_keep_their_values(Durability durability)
      throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("forks.db"))) {
      var graph = loop((state, _) -> mixed(state.get(STEPS)), 30);
      var options = RunOptions.thread("thread").checkpoints(store).durability(durability);
      for (int round = 0; round < 4; round++) graph.invoke(round(round), options);
      var held = new LinkedHashMap<String, List<Object>>();
      for (var at : store.page(Commits.LINEAGE, Optional.empty(), 1_000)) {
        held.put(at.id(), values(graph.state(at.id(), options).orElseThrow().state()));
      }
      var ids = List.copyOf(held.keySet());
      for (int i = 0; i < ids.size(); i += 7) {
        var id = ids.get(i);
        var other = RunOptions.thread("fork-" + i).checkpoints(store).durability(durability);
        Threads.in(store).fork("thread", id, "fork-" + i);
        assertThat(values(state(graph, other).state())).isEqualTo(held.get(id));
        if (!state(graph, other).next().isEmpty()) graph.resume(Answers.none(), other);
      }
      store.prune(Commits.hold(store), Prune.keepLast(3));
      for (var at : store.page(Commits.LINEAGE, Optional.empty(), 1_000)) {
        assertThat(values(graph.state(at.id(), options).orElseThrow().state()))
            .isEqualTo(held.get(at.id()));
      }
    }
  }

  private static Input round(int round) {
    return round == 0 ? Input.none() : Input.of(STEPS, -30L);
  }

  private static Update mixed(long step) {
    var update =
        step % 4 == 3 ? Update.remove(MAP, "k" + (step + 2) % 5) : Update.of(SET, "e" + step);
    return update
        .and(STEPS, 1L)
        .and(MAP, Map.of("k" + step % 5, "v" + step))
        .and(LIST, new Item("i" + step % 3, "t" + step));
  }

  private static List<Object> values(State state) {
    return List.of(
        List.copyOf(state.get(MAP).entrySet()), List.copyOf(state.get(SET)), state.get(LIST));
  }
}
