package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.nth;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sizes, which do not depend on the speed of the machine.
final class GrowthTest {
  private static final int KIB = 1024;
  private static final Json ITEM = Json.string("x".repeat(KIB - 2));

  @TempDir Path folder;

  private SqliteCheckpointer open() {
    return SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  private long bytes() throws IOException {
    return Files.size(folder.resolve("runs.db"));
  }

  /// With the automatic checkpoint off, the log before the file holds every page ever written.
  private static void countAllWrites(SqliteCheckpointer store) {
    store.write(sql -> {
      sql.script("commit; pragma wal_autocheckpoint=0; begin immediate");
      return 0;
    });
  }

  private long written() throws IOException {
    return Files.size(folder.resolve("runs.db-wal"));
  }

  @Test
  void two_thousand_appends_take_little_more_than_their_bytes() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 2_000; n++) store.commit(lease, nth(n, appended("messages", n, ITEM)));
    }
    // A checkpoint takes some 300 bytes with its keys.
    assertThat(bytes()).isLessThan(2_000L * KIB * 18 / 10);
  }

  @Test
  void the_last_appends_write_no_more_than_the_first() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      countAllWrites(store);
      long start = written();
      var written = new ArrayList<Long>();
      for (int n = 0; n < 2_000; n++) {
        store.commit(lease, nth(n, appended("messages", n, ITEM)));
        if (n % 200 == 199) written.add(written());
      }
      long first = written.getFirst() - start;
      long last = written.get(9) - written.get(8);
      // Keys are found through one more level of pages.
      assertThat(last).isLessThan(first * 13 / 10);
    }
  }

  /// The characters of all references to values.
  private static long references(SqliteCheckpointer store) {
    return store.write(sql ->
        sql.first(
                "select (select sum(length(channels)) from checkpoint)"
                    + " + (select coalesce(sum(length(json)), 0) from log_item)",
                row -> row.getLong(1))
            .orElseThrow());
  }

  @Test
  void a_checkpoint_of_many_channels_writes_references_to_changed_ones_only() {
    for (int many : List.of(200, 2_000)) {
      try (var store = SqliteCheckpointer.open(folder.resolve("wide" + many + ".db"))) {
        var lease = Commits.hold(store);
        var all = new ArrayList<ChannelChange>();
        for (int i = 0; i < many; i++) all.add(value("wide" + i, 1, i));
        store.commit(lease, nth(0, all.toArray(ChannelChange[]::new)));
        long first = references(store);
        for (int n = 1; n <= 3 * many; n++) {
          store.commit(lease, nth(n, value("wide" + n % many, n + 1, n)));
        }
        // Each with 100 of its own; and all of them anew as often as each was changed.
        assertThat(references(store) - first).isLessThan(3L * many * 100 + 4 * first);
      }
    }
  }

  private static ChannelChange value(String channel, int version, int value) {
    return new ChannelChange(channel, version, new ChannelChange.Change.Whole(Json.of(value)));
  }

  @Test
  void channels_that_do_not_change_cost_a_few_bytes() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      var first = new ArrayList<ChannelChange>();
      for (int i = 0; i < 25; i++) first.add(Commits.whole("channel-" + i, 1, ITEM));
      store.commit(lease, nth(0, first.toArray(ChannelChange[]::new)));
      for (int n = 1; n < 1_000; n++) {
        store.commit(lease, nth(n, Commits.whole("channel-7", n + 1, Json.string("small"))));
      }
    }
    assertThat(bytes()).isLessThan(1_000L * 800);
  }

  @Test
  void a_journal_takes_little_more_than_its_bytes() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 1_000; n++) store.append(lease, List.of(Commits.entry(ITEM)));
    }
    assertThat(bytes()).isLessThan(1_000L * KIB * 18 / 10);
  }

  @Test
  void a_fork_copies_no_values() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 500; n++) {
        store.commit(lease, nth(n, appended("messages", n, ITEM), Commits.whole("a", n, ITEM)));
      }
      countAllWrites(store);
      long before = written();
      for (int n = 0; n < 20; n++) {
        var copy = store.acquire("copy-" + n, "the test", Duration.ofHours(1));
        var made = Commits.on(Optional.of(Commits.id(499)), "made", 500).checkpoint();
        var target = Lineage.of("copy-" + n);
        var fork = new Fork(Commits.LINEAGE, Commits.id(499), target, made, List.of());
        assertThat(store.fork(copy, fork)).isTrue();
        assertThat(store.latest(target).orElseThrow().channels()).hasSize(2);
      }
      // Some twenty pages each, where a copy would have taken 250.
      assertThat(written() - before).isLessThan(20L * 40 * 4 * KIB);
    }
  }

  @Test
  void compacting_a_store_frees_the_space_of_deleted_data() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 1_000; n++) {
        store.commit(lease, nth(n, appended("messages", n, ITEM), Commits.whole("a", n, ITEM)));
      }
      store.compact();
      long full = bytes();
      assertThat(full).isGreaterThan(1_500L * KIB);
      assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(999);
      store.compact();
      // The list is still there, the old values and the checkpoints are not.
      assertThat(bytes()).isLessThan(full * 8 / 10);
      assertThat(store.latest(Commits.LINEAGE).orElseThrow().channels()).hasSize(2);
      store.delete(lease);
      store.compact();
      assertThat(bytes()).isLessThan(200L * KIB);
    }
  }

  @Test
  void replacing_the_last_item_again_and_again_copies_little() throws IOException {
    try (var store = open()) {
      var lease = Commits.hold(store);
      int length = 0;
      for (int n = 0; n < 1_000; n++) {
        // Appends one item, and in the same step replaces the one before.
        int kept = Math.max(0, length - 1);
        var change = new ChannelChange.Change.Items(kept, List.of(ITEM, ITEM));
        store.commit(lease, nth(n, new ChannelChange("messages", n, change)));
        length = kept + 2;
      }
    }
    // 2 MiB were given to it. Copying at each step, or at each eighth, would take 500 or 60 MiB.
    assertThat(bytes()).isLessThan(2_000L * KIB * 8);
  }
}
