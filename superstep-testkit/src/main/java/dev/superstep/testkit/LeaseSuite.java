package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.entry;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.json;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.CheckpointerCapability.GraphShapes;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadRemoval;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadBusy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may write to a thread, as every [Checkpointer] must watch it. Part of [CheckpointerSuite].
public interface LeaseSuite extends StoreUnderTest {
  /// Long enough for any machine to get to the end of a lease of a millisecond.
  int TRIES_MAX = 1_000_000;

  /// Number of takeovers of a thread.
  int TAKEOVERS = 5;

  /// Number of writers.
  int WRITERS = 3;

  @Test
  default void a_leased_thread_is_busy_and_names_its_holder(CompleteCheckpointer store) {
    var before = Instant.now();
    var lease = store.acquire("thread", "laptop", Duration.ofHours(1));
    assertThat(lease.thread()).isEqualTo("thread");
    assertThat(lease.owner()).isEqualTo("laptop");
    assertThatThrownBy(() -> store.acquire("thread", "server", Duration.ofHours(1)))
        .isInstanceOfSatisfying(
            ThreadBusy.class,
            busy -> {
              assertThat(busy.thread()).isEqualTo("thread");
              assertThat(busy.owner()).isEqualTo("laptop");
              // The clock of the store need not be that of the test.
              assertThat(busy.until())
                  .isBetween(
                      before.plus(Duration.ofMinutes(30)), before.plus(Duration.ofMinutes(90)));
            });
    store.acquire("other", "server", Duration.ofHours(1));
    assertThat(store.renew(lease, Duration.ofHours(1))).isFalse();
  }

  @Test
  default void a_released_thread_can_be_acquired_immediately(CompleteCheckpointer store) {
    var first = hold(store, "thread");
    store.release(first);
    var second = hold(store, "thread");
    assertThat(second.token()).isGreaterThan(first.token());
    // Neither of these is the holder's.
    store.release(first);
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
    assertThatThrownBy(() -> store.renew(first, Duration.ofHours(1))).isInstanceOf(LeaseLost.class);
    assertThat(store.renew(second, Duration.ofHours(1))).isFalse();
  }

  @Test
  @Tag("T88")
  default void an_expired_lease_can_be_taken_over(CompleteCheckpointer store) {
    var first = store.acquire("thread", "dead", Duration.ofMillis(1));
    var second = takeOver(store, "thread");
    assertThat(second.token()).isGreaterThan(first.token());
    assertThatThrownBy(() -> store.renew(first, Duration.ofHours(1)))
        .isInstanceOfSatisfying(LeaseLost.class, e -> assertThat(e.lease()).isEqualTo(first));
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
  }

  @Test
  default void an_expired_lease_that_nobody_took_over_still_writes_and_can_be_renewed(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    var lease = history.lease();
    // Over at once.
    store.renew(lease, Duration.ZERO);
    history.commit(whole("a", 2, "2"));
    assertThat(store.renew(lease, Duration.ofHours(1))).isFalse();
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
    history.agrees();
  }

  @Test
  default void a_renewed_lease_lasts_from_then_on(CompleteCheckpointer store) {
    var lease = store.acquire("thread", "me", Duration.ofMillis(1));
    store.renew(lease, Duration.ofHours(1));
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
    store.renew(lease, Duration.ofMillis(1));
    assertThat(takeOver(store, "thread").token()).isGreaterThan(lease.token());
  }

  /// Takes a thread as soon as its lease is over.
  static Lease takeOver(Checkpointer store, String thread) {
    for (int i = 0; i < TRIES_MAX; i++) {
      try {
        return hold(store, thread);
      } catch (ThreadBusy _) {
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("the lease was never over");
  }

  @Test
  default void of_many_concurrent_acquisitions_of_a_thread_one_succeeds(CompleteCheckpointer store)
      throws Exception {
    for (int round = 0; round < 5; round++) {
      var thread = "round-" + round;
      var got =
          ConcurrentCalls.run(
              20,
              i -> {
                try {
                  return Optional.of(store.acquire(thread, "p" + i, Duration.ofHours(1)));
                } catch (ThreadBusy _) {
                  return Optional.<Lease>empty();
                }
              });
      var leases = got.stream().flatMap(Optional::stream).toList();
      assertThat(leases).hasSize(1);
      assertThat(store.renew(leases.getFirst(), Duration.ofHours(1))).isFalse();
    }
  }

  @Test
  default void no_token_is_given_twice(CompleteCheckpointer store) throws Exception {
    long last = 0;
    for (int i = 0; i < 5; i++) {
      var lease = hold(store, i % 2 == 0 ? "thread" : "other");
      assertThat(lease.token()).isGreaterThan(last);
      last = lease.token();
      if (i % 3 == 0)
        store.saveStep(
            lease, Lineage.of(lease.thread()), "c0", new StepRecord("t", "s", json("1")));
      if (i % 2 == 0 && store.can(ThreadRemoval.class)) store.delete(lease);
      else store.release(lease);
    }
    var tokens = ConcurrentCalls.run(20, i -> hold(store, "many-" + i).token());
    assertThat(new HashSet<>(tokens)).hasSize(20);
    assertThat(tokens).allSatisfy(token -> assertThat(token).isGreaterThan(5L));
  }

  @Test
  default void a_lease_is_of_one_thread(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    var other = new Commit(Lineage.of("other"), checkpoint("c0", Optional.empty(), 0), List.of());
    assertThatThrownBy(() -> store.commit(lease, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the lease is of thread `thread`, not of `other`");
    assertThat(store.latest(Lineage.of("other"))).isEmpty();
  }

  @Test
  default void a_thread_must_have_a_name(CompleteCheckpointer store) {
    assertThatThrownBy(() -> hold(store, " ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void no_write_with_an_old_lease_changes_anything(CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    history.commitAs("run-1", whole("a", 2, "2"));
    var old = history.lease();
    if (store.can(EventJournal.class)) store.append(old, List.of(entry("run", "kind")));
    long told = store.entryCount("thread");
    store.release(old);
    var lease = hold(store, "thread");
    writes(store)
        .forEach((name, write) ->
            assertThatThrownBy(() -> write.with(old)).as(name).isInstanceOf(LeaseLost.class));
    history.agrees();
    assertThat(store.entryCount("thread")).isEqualTo(told);
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
    if (store.can(GraphShapes.class)) {
      assertThat(store.described("graph", "hash")).isEmpty();
    }
    assertThat(store.renew(lease, Duration.ofHours(1))).isFalse();
    if (!store.can(ThreadRemoval.class)) return;
    store.delete(lease);
    writes(store)
        .forEach((name, write) ->
            assertThatThrownBy(() -> write.with(lease)).as(name).isInstanceOf(LeaseLost.class));
    assertThat(store.latest(LINEAGE)).isEmpty();
  }

  /// A write that shows a lease.
  interface Write {
    /// Does it.
    void with(Lease lease);
  }

  /// Returns a write of each kind; each would succeed.
  private static Map<String, Write> writes(CompleteCheckpointer store) {
    var parent = store.latest(LINEAGE).map(saved -> saved.checkpoint().id());
    var made = checkpoint("c2", parent, 2);
    var told = store.entries(entry("run", "late"));
    var writes = new LinkedHashMap<String, Write>();
    var commit = new Commit(LINEAGE, made, List.of(whole("a", 3, "3"))).withEntries(told).of("{}");
    writes.put("commit", lease -> store.commit(lease, commit));
    writes.put("commitLast", lease -> store.commitLast(lease, commit));
    var task = new TaskRecord("t", "n", new End.Failed("code", "late"));
    writes.put("saveTaskLast", lease -> store.saveTaskLast(lease, LINEAGE, "c1", task, List.of()));
    writes.put("saveTask", lease -> store.saveTask(lease, LINEAGE, "c1", task, told));
    writes.put(
        "saveTask that tells nothing",
        lease -> store.saveTask(lease, LINEAGE, "c1", task, List.of()));
    var step = new StepRecord("t", "mail", json("1"));
    writes.put("saveStep", lease -> store.saveStep(lease, LINEAGE, "c1", step));
    var answers = List.of(new Answer("q", json("1")));
    writes.put("answer", lease -> store.answer(lease, LINEAGE, "c1", answers, told));
    writes.put("renew", lease -> store.renew(lease, Duration.ofHours(1)));
    writes.putAll(ofCapabilities(store, made, told));
    return writes;
  }

  private static Map<String, Write> ofCapabilities(
      CompleteCheckpointer store, Checkpoint made, List<Entry> told) {
    var writes = new LinkedHashMap<String, Write>();
    if (store.can(EventJournal.class)) {
      writes.put("append", lease -> store.append(lease, told));
      writes.put("append nothing", lease -> store.append(lease, List.of()));
      writes.put("trimJournal", lease -> store.trimJournal(lease, 1));
    }
    if (store.can(ThreadForks.class)) {
      var fork = new Fork(LINEAGE, "c0", LINEAGE, made, told);
      writes.put("fork", lease -> store.fork(lease, fork));
      writes.put("copy", lease -> store.copy(lease, "other"));
    }
    if (store.can(ThreadRemoval.class)) {
      writes.put("deleteRun", lease -> store.deleteRun(lease, "run-1", Set.of()));
      writes.put("prune", lease -> store.prune(lease, Prune.keepLast(1)));
      writes.put("delete", store::delete);
    }
    return writes;
  }

  @Test
  default void a_former_holder_writes_nothing_after_a_takeover(Checkpointer store)
      throws Exception {
    for (int round = 0; round < TAKEOVERS; round++) {
      var lineage = Lineage.of("thread-" + round);
      // It is over at once, and writes until somebody else acquires the thread.
      var lease = store.acquire(lineage.thread(), "the former holder", Duration.ZERO);
      var begun = checkpoint("c0", Optional.empty(), 0);
      assertThat(store.commit(lease, new Commit(lineage, begun, List.of()))).isTrue();
      var written = new CountDownLatch(WRITERS);
      var before = new ConcurrentHashMap<Integer, Set<String>>();
      ConcurrentCalls.run(
          WRITERS + 1,
          i -> {
            if (i < WRITERS) return writesUntilLost(store, lease, lineage, i, written);
            await(written);
            hold(store, lineage.thread());
            before.put(0, taskIds(store, lineage));
            return 0;
          });
      assertThat(taskIds(store, lineage)).isEqualTo(before.get(0));
    }
  }

  /// Saves tasks and steps until another one holds the thread.
  private static int writesUntilLost(
      Checkpointer store, Lease lease, Lineage lineage, int writer, CountDownLatch written) {
    for (int i = 0; i < TRIES_MAX; i++) {
      try {
        var id = "t-" + writer + "-" + i;
        var task = new TaskRecord(id, "n", new End.Failed("code", "late"));
        store.saveTask(lease, lineage, "c0", task, List.of());
        store.saveStep(lease, lineage, "c0", new StepRecord(id, "mail", json("1")));
        if (i == 0) written.countDown();
      } catch (LeaseLost _) {
        return i;
      }
    }
    throw new AssertionError("the thread was never taken");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).as("all have begun to write").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Returns the ids of the tasks that have records or steps.
  private static Set<String> taskIds(Checkpointer store, Lineage lineage) {
    var ids = new HashSet<String>();
    for (var task : store.tasks(lineage, "c0")) ids.add("task " + task.task());
    for (var step : store.steps(lineage, "c0")) ids.add("step " + step.task());
    return ids;
  }
}
