package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.rows.Blobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Large values are kept once, and no longer than something needs them.
final class BlobTest {
  private static final int MIB = 1 << 20;

  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Channel<String, String> SAME = Channel.latest("same", String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<Map<String, String>, Map<String, String>> MAP =
      Channel.merge("map", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Target<String> EACH = Target.of("each", String.class);

  @TempDir Path folder;

  private SqliteCheckpointer open() {
    return SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  private static RunOptions on(SqliteCheckpointer store) {
    return RunOptions.thread("thread").checkpoints(store);
  }

  private static String text(int length, int number) {
    return number + "x".repeat(length - String.valueOf(number).length());
  }

  /// Sends one argument many times.
  private static Graph sending(int length, int sends) {
    var argument = text(length, 0);
    return Graph.named("sending")
        .channels(SUM)
        .node(
            "send",
            (_, _) -> {
              var all = new ArrayList<Send<?>>();
              for (int i = 0; i < sends; i++) all.add(Send.to(EACH, argument));
              return Command.send(all);
            })
        .node(EACH, (given, _, _) -> Update.of(SUM, (long) given.length()))
        .destinations("send", EACH.name())
        .edge(START, "send")
        .edge(EACH.name(), END)
        .compile();
  }

  /// The bytes of all that is kept, values and references.
  private static long bytes(SqliteCheckpointer store) {
    return number(
        store,
        """
        select (select coalesce(sum(length(json)), 0) from blob)
          + (select coalesce(sum(length(json)), 0) from value)
          + (select coalesce(sum(length(json)), 0) from log_item)
          + (select coalesce(sum(length(json)), 0) from step)
          + (select coalesce(sum(length("end")), 0) from task)
          + (select coalesce(sum(length(body)), 0) from checkpoint)
        """);
  }

  private static long blobs(SqliteCheckpointer store) {
    return number(store, "select count(*) from blob");
  }

  private static long number(SqliteCheckpointer store, String query) {
    return store.read(sql -> sql.first(query, row -> row.getLong(1)).orElseThrow());
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void an_argument_that_is_sent_fifty_times_is_stored_once(Durability durability) throws Exception {
    try (var store = open()) {
      var outcome = sending(MIB, 50).invoke(Input.none(), on(store).durability(durability));
      assertThat(((Outcome.Completed) outcome).state().get(SUM)).isEqualTo(50L * MIB);
      assertThat(blobs(store)).isEqualTo(durability == Durability.EXIT ? 0 : 1);
      assertThat(bytes(store)).isLessThan(MIB + 50_000);
    }
  }

  /// Puts a text into everything that keeps values.
  private static Graph spreading(String value) {
    return Graph.named("spreading")
        .channels(TEXT, SAME, LOG, MAP)
        .node(
            "spread",
            (_, context) -> {
              var made = context.step("make", String.class, () -> value);
              return Update.of(TEXT, made).and(SAME, made).and(LOG, made).and(LOG, made);
            })
        .node("map", (s, _) -> Update.of(MAP, Map.of("k", s.get(TEXT))).and(LOG, s.get(SAME)))
        .edge(START, "spread")
        .edge("spread", "map")
        .edge("map", END)
        .compile();
  }

  @Test
  void a_value_in_steps_writes_channels_and_lists_is_stored_once() throws Exception {
    var value = text(MIB, 1);
    try (var store = open()) {
      spreading(value).invoke(Input.none(), on(store));
    }
    try (var store = open()) {
      var state = spreading(value).state(on(store)).orElseThrow().state();
      assertThat(state.get(TEXT).equals(value)).isTrue();
      assertThat(state.get(LOG)).hasSize(3).allMatch(value::equals);
      assertThat(state.get(MAP).get("k").equals(value)).isTrue();
      // The entry of the map is a value of its own: `{"k":...}`.
      assertThat(blobs(store)).isEqualTo(2);
      assertThat(bytes(store)).isLessThan(2 * MIB + 20_000);
    }
  }

  @Test
  void values_up_to_a_quarter_of_a_mebibyte_are_stored_inline() throws Exception {
    try (var store = open()) {
      // With its quotes.
      spreading(text(Blobs.LARGE - 2, 1)).invoke(Input.none(), on(store));
      // All but the entry of the map, which is larger than what is in it.
      assertThat(blobs(store)).isEqualTo(1);
      spreading(text(Blobs.LARGE - 2 - 6, 1))
          .invoke(Input.none(), RunOptions.thread("small").checkpoints(store));
      assertThat(blobs(store)).isEqualTo(1);
    }
  }

  @Test
  void unreferenced_values_are_deleted_and_shared_ones_stay() throws Exception {
    try (var store = open()) {
      var graph = spreading(text(MIB, 1));
      graph.invoke(Input.none(), on(store));
      var other = RunOptions.thread("other").checkpoints(store);
      spreading(text(MIB, 2)).invoke(Input.none(), other);
      Threads.in(store).copy("thread", "copy");
      assertThat(blobs(store)).isEqualTo(4);
      var copy = RunOptions.thread("copy").checkpoints(store);
      spreading(text(MIB, 3)).invoke(Input.none(), copy);
      assertThat(blobs(store)).isEqualTo(6);
      delete(store, "thread");
      assertThat(blobs(store)).isEqualTo(6);
      assertThat(graph.state(copy).orElseThrow().state().get(LOG)).hasSize(6);
      // Its lists still have the first text.
      prune(store, "copy");
      assertThat(blobs(store)).isEqualTo(6);
      assertThat(graph.state(copy).orElseThrow().state().get(LOG).getFirst()).startsWith("1x");
      delete(store, "copy");
      assertThat(blobs(store)).isEqualTo(2);
      assertThat(graph.state(other).orElseThrow().state().get(LOG)).hasSize(3);
      delete(store, "other");
      assertThat(blobs(store)).isZero();
    }
  }

  @Test
  void a_value_of_old_checkpoints_only_is_deleted_with_them() throws Exception {
    try (var store = open()) {
      for (int i = 0; i < 3; i++) {
        var value = text(MIB, i);
        Graph.named("latest")
            .channels(TEXT)
            .node("write", (_, _) -> Update.of(TEXT, value))
            .edge(START, "write")
            .edge("write", END)
            .compile()
            .invoke(Input.none(), on(store));
      }
      assertThat(blobs(store)).isEqualTo(3);
      prune(store, "thread");
      assertThat(blobs(store)).isEqualTo(1);
    }
  }

  @Test
  void deleting_a_run_deletes_its_large_values() throws Exception {
    try (var store = open()) {
      spreading(text(MIB, 1)).invoke(Input.none(), on(store));
      var run = store.latest(Commits.LINEAGE).orElseThrow().checkpoint().run();
      spreading(text(MIB, 2)).invoke(Input.none(), on(store));
      assertThat(blobs(store)).isEqualTo(4);
      var second = store.latest(Commits.LINEAGE).orElseThrow().checkpoint().run();
      assertThat(second).isNotEqualTo(run);
      var lease = Commits.hold(store);
      store.deleteRun(lease, second, Set.of());
      assertThat(blobs(store)).isEqualTo(2);
      store.deleteRun(lease, run, Set.of());
      assertThat(blobs(store)).isZero();
    }
  }

  private static void delete(SqliteCheckpointer store, String thread) {
    store.delete(store.acquire(thread, "test", Duration.ofMinutes(1)));
  }

  private static void prune(SqliteCheckpointer store, String thread) {
    var lease = store.acquire(thread, "test", Duration.ofMinutes(1));
    store.prune(lease, Prune.keepLast(1));
    store.release(lease);
  }

  @Test
  void a_missing_or_damaged_large_value_is_an_error() throws Exception {
    try (var store = open()) {
      spreading(text(MIB, 1)).invoke(Input.none(), on(store));
      store.write(sql -> sql.update("update blob set json = replace(json, 'x', 'y')"));
      assertThatThrownBy(() -> store.latest(Commits.LINEAGE))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("is not what was written");
      store.write(sql -> sql.update("delete from blob"));
      assertThatThrownBy(() -> store.latest(Commits.LINEAGE))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("is missing");
      // Its checkpoints can still be listed.
      assertThat(store.page(Commits.LINEAGE, Optional.empty(), 9)).hasSize(3);
    }
  }

  @Test
  @Tag("long")
  void the_cost_per_send_of_a_large_argument_is_constant() throws Exception {
    var report = new StringBuilder("bytes for each of");
    for (int sends = 10; sends <= 1_000; sends *= 10) {
      try (var store = SqliteCheckpointer.open(folder.resolve(sends + ".db"))) {
        sending(Blobs.LARGE + 1, sends).invoke(Input.none(), on(store));
        long more = (bytes(store) - Blobs.LARGE) / sends;
        report.append(" %,d sends: %,d;".formatted(sends, more));
        assertThat(more).isLessThan(1_500);
      }
    }
    System.out.println(report);
  }
}
