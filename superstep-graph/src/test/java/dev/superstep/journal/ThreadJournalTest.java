package dev.superstep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A journal is read whole, in parts, from any place, and as text.
@Tag("T58")
final class ThreadJournalTest {
  private static final int MANY = 700;
  private final Desk desk = new Desk();

  private void append(int count) {
    var lease = desk.store.acquire(desk.thread, "me", Duration.ofMinutes(1));
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < count; i++) entries.add(Desk.entry("r", "n" + i % 3));
    desk.events().append(lease, entries);
    desk.store.release(lease);
  }

  @Test
  void a_thread_without_a_journal_reads_as_empty() throws Exception {
    assertThat(desk.journal()).isEmpty();
    Desk.asking().invoke(Input.none(), RunOptions.thread("u").checkpoints(desk.store));
    assertThat(ThreadJournal.of(desk.store, "u")).isEmpty();
    assertThat(ThreadJournal.of(desk.store, "u").lastOffset()).isZero();
  }

  @Test
  void a_journal_is_read_from_end_to_end_over_all_runs_of_the_thread() throws Exception {
    desk.ask("red");
    assertThat(Desk.kinds(desk.journal()))
        .startsWith("run.started")
        .contains("interrupt.raised", "run.interrupted", "interrupt.answered")
        .endsWith("run.completed");
    var runs = Desk.all(desk.journal()).stream().map(Entry::run).distinct();
    assertThat(runs).hasSize(2);
  }

  @Test
  void events_read_back_unchanged_with_their_offsets() throws Exception {
    var heard = new ArrayList<Event>();
    Desk.asking().invoke(Input.none(), desk.options().listener(heard::add));
    var read = Desk.all(desk.journal()).stream().map(ThreadJournal::event).toList();
    assertThat(read)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("origin.at")
        .isEqualTo(heard);
    assertThat(read.getLast().origin().sequence()).isEqualTo(desk.journal().lastOffset());
  }

  @Test
  @Tag("T102")
  void filtered_events_are_left_out_however_far_apart_the_rest_is() {
    append(MANY);
    var some = desk.journal().only(EntryFilter.all().nodes("n1"));
    assertThat(Desk.all(some)).hasSize(233).allMatch(entry -> entry.node().equals("n1"));
    assertThat(desk.journal().only(EntryFilter.all().nodes("none"))).isEmpty();
  }

  @Test
  void reads_chopped_at_random_give_the_same_entries() {
    append(MANY);
    var whole = Desk.all(desk.journal());
    assertThat(whole).hasSize(MANY);
    for (long seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var read = new ArrayList<Entry>();
      long after = 0;
      while (read.size() < MANY) {
        int most = 1 + random.nextInt(100);
        if (random.nextBoolean()) {
          read.addAll(desk.journal().entries(after, most));
        } else {
          var rest = desk.journal().tail(after);
          for (int i = 0; i < most && read.size() < MANY; i++) read.add(rest.iterator().next());
          assertThat(rest.offset()).isEqualTo(read.getLast().offset());
        }
        after = read.getLast().offset();
      }
      assertThat(read).as("seed " + seed).isEqualTo(whole);
    }
  }

  @Test
  void events_of_a_run_that_failed_before_its_first_save_are_recorded() {
    append(3);
    assertThat(Threads.in(desk.store).find("t")).isEmpty();
    assertThat(Desk.offsets(desk.journal())).containsExactly(1L, 2L, 3L);
    append(1);
    assertThat(desk.journal().lastOffset()).isEqualTo(4);
    assertThat(Threads.in(desk.store).delete("t")).isTrue();
    assertThat(desk.journal()).isEmpty();
  }

  @Test
  void after_a_run_was_deleted_the_other_entries_keep_their_places() throws Exception {
    desk.ask("red");
    var before = Desk.all(desk.journal());
    var gone = before.getLast().run();
    desk.ask("blue");
    assertThat(Threads.in(desk.store).deleteRun(gone)).isPositive();
    long after = before.getFirst().offset() + 1;
    var read = new ArrayList<Entry>();
    var tail = desk.journal().tail(after);
    for (var next = tail.poll(Duration.ZERO); next.isPresent(); next = tail.poll(Duration.ZERO)) {
      read.add(next.get());
    }
    assertThat(Desk.offsets(read)).startsWith(after + 1).isSorted().doesNotHaveDuplicates();
    assertThat(read).noneMatch(entry -> entry.run().equals(gone));
    assertThat(read.getLast().offset()).isGreaterThan(before.getLast().offset());
  }

  @Test
  void an_export_has_lines_that_read_back_and_can_be_continued() throws Exception {
    desk.ask("red");
    var out = new StringWriter();
    long offset = desk.journal().exportTo(out);
    assertThat(offset).isEqualTo(desk.journal().lastOffset());
    desk.ask("blue");
    desk.journal().exportTo(out, offset);
    var lines = out.toString().lines().map(line -> Json.parse(line).as(Entry.class)).toList();
    assertThat(lines).isEqualTo(Desk.all(desk.journal()));
    assertThat(Desk.offsets(lines))
        .isEqualTo(LongStream.rangeClosed(1, lines.size()).boxed().toList());
  }
}
