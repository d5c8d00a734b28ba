package dev.superstep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Threads;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A journal is followed while it grows: each entry once, none left out.
@Tag("T124")
@Timeout(120)
final class JournalTailTest {
  private final Desk desk = new Desk();

  @Test
  void existing_entries_are_read_first_and_then_those_of_a_running_run() throws Exception {
    desk.ask("red");
    long before = desk.journal().lastOffset();
    var seen = new CountDownLatch(1);
    var graph =
        Graph.named("g")
            .channels(Desk.SAID)
            .node("a", (_, _) -> Update.of(Desk.SAID, "a"))
            .node(
                "b",
                (_, _) -> {
                  seen.await();
                  return Update.of(Desk.SAID, "b");
                })
            .edge(Graph.START, "a")
            .edge("a", "b")
            .edge("b", Graph.END)
            .compile();
    var failed = new AtomicReference<Throwable>();
    var run =
        Thread.ofVirtual()
            .start(() -> {
              try {
                graph.invoke(Input.none(), desk.options());
              } catch (Throwable e) {
                failed.set(e);
              }
            });
    var offsets = new ArrayList<Long>();
    try (var tail = desk.journal().tail(0)) {
      for (var entry : tail) {
        offsets.add(entry.offset());
        // The run cannot end before this was read, while it was at work.
        if (entry.offset() > before && entry.kind().equals("node.finished")) seen.countDown();
        if (entry.offset() > before && entry.kind().equals("run.completed")) break;
      }
    }
    run.join();
    assertThat(failed.get()).isNull();
    assertThat(offsets)
        .isEqualTo(LongStream.rangeClosed(1, desk.journal().lastOffset()).boxed().toList());
  }

  @Test
  void a_reader_that_starts_late_or_resumes_elsewhere_misses_nothing() throws Exception {
    desk.ask("red");
    var read = new ArrayList<Entry>();
    long after = 0;
    for (int part = 0; part < 3; part++) {
      try (var tail = desk.journal().tail(after)) {
        for (int i = 0; i < 4; i++) read.add(tail.poll(Duration.ZERO).orElseThrow());
        after = tail.offset();
      }
    }
    desk.ask("blue");
    try (var tail = desk.journal().tail(after)) {
      for (var e = tail.poll(Duration.ZERO); e.isPresent(); e = tail.poll(Duration.ZERO)) {
        read.add(e.get());
      }
      assertThat(tail.offset()).isEqualTo(desk.journal().lastOffset());
    }
    assertThat(read).isEqualTo(Desk.all(desk.journal()));
  }

  @Test
  void polling_backs_off_to_at_most_a_quarter_of_a_second() throws Exception {
    var waits = new ArrayList<Duration>();
    try (var tail = desk.journal().sleeper(waits::add).tail(0)) {
      assertThat(tail.poll(Duration.ofSeconds(1))).isEmpty();
    }
    assertThat(waits.getFirst()).isEqualTo(Duration.ofMillis(5));
    assertThat(waits.get(1)).isEqualTo(Duration.ofMillis(10));
    assertThat(waits).contains(Duration.ofMillis(250));
    assertThat(waits).allMatch(wait -> wait.compareTo(Duration.ofMillis(250)) <= 0);
    assertThat(waits.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void polling_speeds_up_again_after_a_new_entry() throws Exception {
    var waits = new ArrayList<Duration>();
    try (var tail = desk.journal().sleeper(waits::add).tail(0)) {
      assertThat(tail.poll(Duration.ofSeconds(1))).isEmpty();
      desk.ask("red");
      assertThat(tail.poll(Duration.ofSeconds(1))).isPresent();
      while (tail.poll(Duration.ZERO).isPresent()) continue;
      waits.clear();
      assertThat(tail.poll(Duration.ofMillis(5))).isEmpty();
    }
    assertThat(waits).containsExactly(Duration.ofMillis(5));
  }

  @Test
  void a_closed_reader_ends_while_it_waits() throws Exception {
    var waiting = new CountDownLatch(1);
    var tail =
        desk.journal()
            .sleeper(time -> {
              waiting.countDown();
              Thread.sleep(time);
            })
            .tail(0);
    var read = new ArrayList<Entry>();
    var reader = Thread.ofVirtual().start(() -> tail.forEach(read::add));
    waiting.await();
    tail.close();
    reader.join();
    assertThat(read).isEmpty();
    assertThat(tail.poll(Duration.ofDays(1))).isEmpty();
  }

  @Test
  void a_reader_that_is_interrupted_ends_and_stays_interrupted() {
    try (var tail = desk.journal().tail(0)) {
      Thread.currentThread().interrupt();
      assertThat(tail.iterator().hasNext()).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void filtered_entries_are_skipped_once() throws Exception {
    desk.ask("red");
    var reads = new ArrayList<Long>();
    var counting =
        new ForwardingCheckpointer(desk.store) {
          @Override
          public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
            reads.add(after);
            return super.entries(thread, after, limit, filter);
          }
        };
    var none = ThreadJournal.of(counting, "t").only(EntryFilter.all().nodes("none"));
    try (var tail = none.sleeper(_ -> {}).tail(0)) {
      assertThat(tail.poll(Duration.ofSeconds(2))).isEmpty();
      assertThat(reads).containsExactly(0L);
      assertThat(tail.offset()).isEqualTo(desk.journal().lastOffset());
    }
  }

  @Test
  void a_deleted_and_recreated_thread_is_followed_from_its_beginning() throws Exception {
    desk.ask("red");
    try (var tail = desk.journal().tail(0)) {
      while (tail.poll(Duration.ZERO).isPresent()) continue;
      assertThat(Threads.in(desk.store).delete("t")).isTrue();
      assertThat(tail.poll(Duration.ZERO)).isEmpty();
      desk.ask("blue");
      assertThat(tail.poll(Duration.ZERO).orElseThrow().offset()).isEqualTo(1);
    }
  }
}
