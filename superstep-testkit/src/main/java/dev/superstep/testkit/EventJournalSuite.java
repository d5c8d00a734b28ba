package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.entry;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The journals of threads, as every [Checkpointer] must keep them. Part of [CheckpointerSuite].
public interface EventJournalSuite extends StoreUnderTest {
  @Test
  default void an_unknown_thread_has_no_journal(CompleteCheckpointer store) {
    assertThat(store.lastOffset("thread")).isZero();
    assertThat(store.entries("thread", 0, 9, EntryFilter.all())).isEmpty();
  }

  @Test
  default void an_entry_reads_back_unchanged(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    var at = Instant.parse("2026-03-01T10:15:30.123456789Z");
    var event = Json.string("漢字 \u0000 😀");
    var entries =
        List.of(
            new Entry(0, at, "run", "desk", List.of(), "", "run.started", Json.parse("{}")),
            new Entry(0, at, "run", "a \"b\"", List.of("x", "ü,\"y"), "n", "k", event));
    store.append(lease, entries);
    var read = store.entries("thread", 0, 9, EntryFilter.all());
    assertThat(read).containsExactly(entries.get(0).at(1), entries.get(1).at(2));
    assertThat(read.get(1).id()).isEqualTo("run-evt-2");
    // A store may write this in another way, but it is the same text.
    var cut = new Entry(0, at, "run", "desk", List.of(), "", "k", Json.string("cut \ud83d"));
    store.append(lease, List.of(cut));
    var last = store.entries("thread", 2, 9, EntryFilter.all()).getFirst();
    assertThat(last.event().as(String.class)).isEqualTo("cut \ud83d");
  }

  @Test
  default void each_thread_counts_its_entries_from_one(CompleteCheckpointer store) {
    var one = hold(store, "one");
    var two = hold(store, "two");
    store.append(one, entries("a", 2));
    store.append(two, entries("b", 1));
    store.append(one, List.of());
    store.append(one, entries("a", 1));
    assertThat(offsets(store, "one")).containsExactly(1L, 2L, 3L);
    assertThat(offsets(store, "two")).containsExactly(1L);
    assertThat(store.lastOffset("one")).isEqualTo(3);
    assertThat(store.entries("one", 1, 1, EntryFilter.all()))
        .containsExactly(entry("a", "kind-1").at(2));
    assertThat(store.entries("one", 3, 9, EntryFilter.all())).isEmpty();
    assertThat(store.entries("one", 99, 9, EntryFilter.all())).isEmpty();
  }

  @Test
  default void a_journal_continues_under_the_next_lease_holder(CompleteCheckpointer store) {
    var first = hold(store, "thread");
    store.append(first, entries("a", 2));
    // There is no checkpoint yet, which is no reason to forget it.
    store.release(first);
    assertThat(offsets(store, "thread")).containsExactly(1L, 2L);
    store.append(hold(store, "thread"), entries("b", 1));
    assertThat(offsets(store, "thread")).containsExactly(1L, 2L, 3L);
  }

  @Test
  @Tag("T58")
  default void entries_are_saved_with_their_write_or_not_at_all(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    var told = List.of(entry("run", "told"));
    var first = new Commit(LINEAGE, checkpoint("c0", Optional.empty(), 0), List.of());
    assertThat(store.commit(lease, first.withEntries(told))).isTrue();
    assertThat(store.lastOffset("thread")).isEqualTo(1);
    // Refused: the parent is not the newest.
    assertThat(store.commit(lease, first.withEntries(told))).isFalse();
    assertThat(store.lastOffset("thread")).isEqualTo(1);
    var impossible = new ChannelChange("list", 1, new Change.Items(7, List.of()));
    var second = new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of(impossible));
    assertThatThrownBy(() -> store.commit(lease, second.withEntries(told)))
        .isInstanceOf(RuntimeException.class);
    assertThat(store.lastOffset("thread")).isEqualTo(1);
    var task = new TaskRecord("t", "n", new End.Failed("code", "why"));
    store.saveTask(lease, LINEAGE, "c0", task, told);
    assertThat(store.lastOffset("thread")).isEqualTo(2);
    var answer = List.of(new Answer("q", json("1")));
    assertThat(store.answer(lease, LINEAGE, "c0", answer, told)).isTrue();
    assertThat(store.answer(lease, LINEAGE, "c0", answer, told)).isFalse();
    store.append(lease, entries("run", 1));
    assertThat(offsets(store, "thread")).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  @Tag("T102")
  default void filters_narrow_by_run_graph_node_kind_and_path(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    var at = Instant.EPOCH;
    var one = Json.parse("1");
    store.append(
        lease,
        List.of(
            new Entry(0, at, "r1", "g1", List.of(), "n1", "k1", one),
            new Entry(0, at, "r2", "g1", List.of("a"), "n2", "k1", one),
            new Entry(0, at, "r1", "g2", List.of("a", "b"), "n1", "k2", one),
            new Entry(0, at, "r1", "g2", List.of("ab"), "n2", "k2", one),
            new Entry(0, at, "r3", "g3", List.of("a", "bc"), "n3", "k3", one)));
    var all = EntryFilter.all();
    assertThat(wanted(store, all.runs("r1"))).containsExactly(1L, 3L, 4L);
    assertThat(wanted(store, all.runs("r1", "r3"))).containsExactly(1L, 3L, 4L, 5L);
    assertThat(wanted(store, all.graphs("g1"))).containsExactly(1L, 2L);
    assertThat(wanted(store, all.nodes("n2", "n3"))).containsExactly(2L, 4L, 5L);
    assertThat(wanted(store, all.kinds("k2"))).containsExactly(3L, 4L);
    assertThat(wanted(store, all.under("a"))).containsExactly(2L, 3L, 5L);
    assertThat(wanted(store, all.under("a", "b"))).containsExactly(3L);
    assertThat(wanted(store, all.under("a", "b", "c"))).isEmpty();
    assertThat(wanted(store, all.runs("r1").nodes("n1").under("a"))).containsExactly(3L);
    assertThat(wanted(store, all.kinds("none"))).isEmpty();
    // A limit counts what is wanted, not what is passed over.
    assertThat(store.entries("thread", 1, 1, all.runs("r1")))
        .extracting(Entry::offset)
        .containsExactly(3L);
  }

  private static List<Long> wanted(CompleteCheckpointer store, EntryFilter filter) {
    return store.entries("thread", 0, 100, filter).stream().map(Entry::offset).toList();
  }

  @Test
  default void a_trimmed_journal_counts_on(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    store.append(lease, entries("a", 5));
    assertThat(store.trimJournal(lease, 3)).isEqualTo(3);
    assertThat(store.trimJournal(lease, 3)).isZero();
    assertThat(offsets(store, "thread")).containsExactly(4L, 5L);
    assertThat(store.entries("thread", 4, 9, EntryFilter.all())).hasSize(1);
    assertThat(store.trimJournal(lease, 99)).isEqualTo(2);
    assertThat(store.lastOffset("thread")).isEqualTo(5);
    store.append(lease, entries("a", 1));
    assertThat(offsets(store, "thread")).containsExactly(6L);
    // Nor when nobody has held it for a while.
    store.trimJournal(lease, 6);
    store.release(lease);
    store.append(hold(store, "thread"), entries("a", 1));
    assertThat(offsets(store, "thread")).containsExactly(7L);
  }

  @Test
  @Tag("T130")
  default void concurrent_writers_get_consecutive_offsets_without_gaps(CompleteCheckpointer store)
      throws Exception {
    var lease = hold(store, "thread");
    ConcurrentCalls.run(
        30,
        i -> {
          store.append(lease, entries("run-" + i, 1 + i % 3));
          return i;
        });
    var read = store.entries("thread", 0, 1_000, EntryFilter.all());
    assertThat(read)
        .extracting(Entry::offset)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 60).boxed().toList());
    assertThat(store.lastOffset("thread")).isEqualTo(60);
    for (int i = 0; i < 30; i++) {
      var own = store.entries("thread", 0, 9, EntryFilter.all().runs("run-" + i));
      assertThat(own).hasSize(1 + i % 3);
      assertThat(own.getLast().offset() - own.getFirst().offset()).isEqualTo(i % 3);
    }
  }

  @Test
  @Tag("T124")
  default void a_reader_that_follows_four_writers_misses_nothing_and_sees_nothing_twice(
      CompleteCheckpointer store) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var lease = hold(store, "thread");
      int each = 40;
      var isWritten = new AtomicBoolean();
      var reading = threads.submit(() -> follow(store, isWritten));
      var writing = new ArrayList<Callable<Boolean>>();
      for (int writer = 0; writer < 4; writer++) {
        var run = "writer-" + writer;
        writing.add(() -> {
          for (int i = 0; i < each; i++) store.append(lease, entries(run, 1 + i % 2));
          return true;
        });
      }
      for (var end : threads.invokeAll(writing)) end.get();
      isWritten.set(true);
      int all = 4 * each * 3 / 2;
      assertThat(reading.get())
          .containsExactlyElementsOf(LongStream.rangeClosed(1, all).boxed().toList());
    }
  }

  @Test
  default void a_journal_is_there_when_it_is_opened_again() {
    var store = CompleteCheckpointer.of(fresh());
    store.append(hold(store, "thread"), List.of(entry("run", "kind")));
    store.close();
    reopened()
        .ifPresent(again -> {
          try (var journal = CompleteCheckpointer.of(again)) {
            assertThat(journal.entries("thread", 0, 9, EntryFilter.all()))
                .containsExactly(entry("run", "kind").at(1));
          }
        });
  }

  /// Reads from where it is, until there is nothing more after the last write.
  private static List<Long> follow(CompleteCheckpointer store, AtomicBoolean isWritten) {
    var seen = new ArrayList<Long>();
    while (true) {
      boolean isLast = isWritten.get();
      long after = seen.isEmpty() ? 0 : seen.getLast();
      var more = store.entries("thread", after, 7, EntryFilter.all());
      more.forEach(entry -> seen.add(entry.offset()));
      if (more.isEmpty() && isLast) return seen;
    }
  }

  private static List<Entry> entries(String run, int many) {
    return IntStream.range(0, many).mapToObj(i -> entry(run, "kind-" + i)).toList();
  }

  private static List<Long> offsets(CompleteCheckpointer store, String thread) {
    return store.entries(thread, 0, 1_000, EntryFilter.all()).stream().map(Entry::offset).toList();
  }
}
