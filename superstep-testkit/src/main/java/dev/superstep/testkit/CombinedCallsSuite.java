package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.entry;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.items;
import static dev.superstep.testkit.History.json;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadBusy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Tests of taking a thread in one transaction with reading it, and of releasing it with the last
/// write. For every [CheckpointerCapability.CombinedCalls].
public interface CombinedCallsSuite extends StoreUnderTest {
  @Test
  default void acquiring_a_thread_returns_its_newest_state(CompleteCheckpointer store) {
    var acquired = store.acquireThread("thread", "laptop", Duration.ofHours(1));
    assertThat(acquired.threadRecord()).isEmpty();
    assertThat(acquired.lease().thread()).isEqualTo("thread");
    assertThat(acquired.lease().owner()).isEqualTo("laptop");
    assertThatThrownBy(() -> store.acquireThread("thread", "server", Duration.ofHours(1)))
        .isInstanceOfSatisfying(
            ThreadBusy.class, busy -> assertThat(busy.owner()).isEqualTo("laptop"));
    var history = History.of(store, acquired.lease(), LINEAGE);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1"), json("2")));
    var waiting = new TaskRecord("t", "n", new End.Waiting(List.of()));
    store.saveTask(acquired.lease(), LINEAGE, "c0", waiting, List.of());
    store.saveStep(acquired.lease(), LINEAGE, "c0", new StepRecord("t", "mail", json("1")));
    store.answer(acquired.lease(), LINEAGE, "c0", List.of(new Answer("q", json("2"))), List.of());
    store.release(acquired.lease());
    var again = store.acquireThread("thread", "server", Duration.ofHours(1));
    assertThat(again.lease().token()).isGreaterThan(acquired.lease().token());
    assertThat(again.threadRecord()).isPresent().isEqualTo(store.threadRecord(LINEAGE));
    assertThat(again.threadRecord().orElseThrow().tasks()).containsExactly(waiting);
    assertThat(again.threadRecord().orElseThrow().answers()).hasSize(1);
  }

  @Test
  default void records_saved_before_any_checkpoint_are_no_thread_record(
      CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    store.saveStep(lease, LINEAGE, "c0", new StepRecord("t", "mail", json("1")));
    store.release(lease);
    var acquired = store.acquireThread("thread", "me", Duration.ofHours(1));
    assertThat(acquired.threadRecord()).isEmpty();
    assertThat(store.steps(LINEAGE, "c0")).hasSize(1);
  }

  @Test
  default void the_last_commit_gives_the_thread_back(CompleteCheckpointer store) {
    var first = hold(store, "thread");
    var made = new Commit(LINEAGE, checkpoint("c0", Optional.empty(), 0), List.of(one()));
    var told = store.entries(entry("run", "kind"));
    assertThat(store.commitLast(first, made.withEntries(told))).isTrue();
    assertThat(store.entryCount("thread")).isEqualTo(told.size());
    if (store.can(CheckpointerCapability.LeaseControl.class)) {
      assertThat(store.requestCancel("thread")).isFalse();
    }
    var second = hold(store, "thread");
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id()).isEqualTo("c0");
    // Giving back what is not held any more takes nothing from the next one.
    store.release(first);
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
  }

  private static ChannelChange one() {
    return whole("a", 1, "1");
  }

  @Test
  default void a_refused_last_commit_keeps_the_lease(CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(one());
    var lease = history.lease();
    var orphan = new Commit(LINEAGE, checkpoint("late", Optional.of("c9"), 1), List.of(one()));
    assertThat(store.commitLast(lease, orphan.withEntries(store.entries(entry("run", "kind")))))
        .isFalse();
    assertHeld(store, lease);
    var cannot =
        new Commit(
            LINEAGE,
            checkpoint("c1", Optional.of("c0"), 1),
            List.of(items("list", 1, 7, json("1"))));
    assertThatThrownBy(() -> store.commitLast(lease, cannot))
        .isInstanceOf(IllegalArgumentException.class);
    assertHeld(store, lease);
    assertThat(store.entryCount("thread")).isZero();
    history.agrees();
  }

  private static void assertHeld(CompleteCheckpointer store, Lease lease) {
    assertThat(store.renew(lease, Duration.ofHours(1))).isFalse();
    assertThatThrownBy(() -> hold(store, "thread")).isInstanceOf(ThreadBusy.class);
  }

  @Test
  default void the_last_record_of_a_task_gives_the_thread_back(CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(one());
    var lease = history.lease();
    var waiting = new TaskRecord("t", "n", new End.Waiting(List.of()));
    var told = store.entries(entry("run", "kind"));
    assertThat(store.saveTaskLast(lease, LINEAGE, "c0", waiting, told)).isEqualTo(waiting);
    assertThat(store.tasks(LINEAGE, "c0")).containsExactly(waiting);
    assertThat(store.entryCount("thread")).isEqualTo(told.size());
    assertThat(hold(store, "thread").token()).isGreaterThan(lease.token());
    history.agrees();
  }

  @Test
  default void a_last_task_record_after_the_end_releases_the_lease_too(CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(one());
    var nothing = new End.Finished(List.of(), Optional.empty(), List.of());
    var ended = new TaskRecord("t", "n", nothing);
    store.saveTask(history.lease(), LINEAGE, "c0", ended, List.of());
    var late = new TaskRecord("t", "n", new End.Failed("code", "late"));
    assertThat(store.saveTaskLast(history.lease(), LINEAGE, "c0", late, List.of()))
        .isEqualTo(ended);
    assertThat(hold(store, "thread").token()).isGreaterThan(history.lease().token());
  }

  @Test
  default void the_state_of_a_thread_is_read_in_one_call(CompleteCheckpointer store) {
    assertThat(store.threadRecord(LINEAGE)).isEmpty();
    var lease = History.hold(store, LINEAGE.thread());
    var task = ended("t");
    store.saveTask(lease, LINEAGE, "c0", ended("early"), List.of());
    assertThat(store.threadRecord(LINEAGE)).isEmpty();
    var zero = checkpoint("c0", Optional.empty(), 0);
    var one = checkpoint("c1", Optional.of("c0"), 1);
    assertThat(store.commit(lease, new Commit(LINEAGE, zero, List.of()))).isTrue();
    assertThat(store.commit(lease, new Commit(LINEAGE, one, List.of()))).isTrue();
    store.saveTask(lease, LINEAGE, "c1", task, List.of());
    var step = new StepRecord("t", "mail", json("2"));
    store.saveStep(lease, LINEAGE, "c1", step);
    var answers = List.of(new Answer("q", json("3")));
    store.answer(lease, LINEAGE, "c1", answers, List.of());
    var threadRecord = store.threadRecord(LINEAGE).orElseThrow();
    assertThat(threadRecord.latest()).isEqualTo(store.latest(LINEAGE).orElseThrow());
    assertThat(threadRecord.latest().checkpoint().id()).isEqualTo("c1");
    assertThat(threadRecord.tasks()).containsExactly(task);
    assertThat(threadRecord.steps()).containsExactly(step);
    assertThat(threadRecord.answers()).isEqualTo(answers);
  }

  @Test
  default void a_last_write_with_a_lease_that_is_lost_takes_nothing_from_the_holder(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(one());
    var old = history.lease();
    store.release(old);
    var lease = hold(store, "thread");
    var next = new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of());
    var task = new TaskRecord("t", "n", new End.Failed("code", "late"));
    assertThatThrownBy(() -> store.commitLast(old, next)).isInstanceOf(LeaseLost.class);
    assertThatThrownBy(() -> store.saveTaskLast(old, LINEAGE, "c0", task, List.of()))
        .isInstanceOf(LeaseLost.class);
    assertHeld(store, lease);
    assertThat(store.tasks(LINEAGE, "c0")).isEmpty();
    history.agrees();
  }

  // --- Acquiring a thread with the first write ---

  private static IdleThread idle(CompleteCheckpointer store) {
    var idle = store.idleThread("thread");
    Assumptions.assumeTrue(idle.isPresent(), "needs threads that are acquired by a write");
    return idle.get();
  }

  private static Optional<Lease> acquire(
      CompleteCheckpointer store, IdleThread idle, FirstWrite write) {
    return store.acquireWith(idle, "laptop", Duration.ofHours(1), write);
  }

  private static FirstWrite commit(String id, Optional<String> parent) {
    return new FirstWrite.OfCommit(
        new Commit(LINEAGE, checkpoint(id, parent, parent.isEmpty() ? 0 : 1), List.of(one())));
  }

  private static FirstWrite answer(CompleteCheckpointer store, String question) {
    var told = store.entries(entry("run", "kind"));
    return new FirstWrite.OfAnswers(LINEAGE, "c0", List.of(new Answer(question, json("2"))), told);
  }

  @Test
  default void a_thread_is_acquired_with_its_first_checkpoint(CompleteCheckpointer store) {
    var idle = idle(store);
    assertThat(idle.threadRecord()).isEmpty();
    var lease = acquire(store, idle, commit("c0", Optional.empty())).orElseThrow();
    assertThat(lease.thread()).isEqualTo("thread");
    assertThat(lease.owner()).isEqualTo("laptop");
    assertHeld(store, lease);
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id()).isEqualTo("c0");
    assertThat(store.idleThread("thread")).isEmpty();
    var next = new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of());
    assertThat(store.commit(lease, next)).isTrue();
    store.release(lease);
    var again = idle(store);
    assertThat(again.threadRecord()).isPresent().isEqualTo(store.threadRecord(LINEAGE));
    var later = acquire(store, again, commit("c2", Optional.of("c1"))).orElseThrow();
    assertThat(later.token()).isGreaterThan(lease.token());
    assertHeld(store, later);
  }

  @Test
  default void a_thread_is_acquired_with_answers_that_its_state_then_has(
      CompleteCheckpointer store) {
    var lease = acquire(store, idle(store), commit("c0", Optional.empty())).orElseThrow();
    store.saveTask(
        lease, LINEAGE, "c0", new TaskRecord("t", "n", new End.Waiting(List.of())), List.of());
    store.release(lease);
    var idle = idle(store);
    assertThat(idle.threadRecord().orElseThrow().tasks()).hasSize(1);
    var later = acquire(store, idle, answer(store, "q")).orElseThrow();
    assertThat(store.answers(LINEAGE, "c0")).containsExactly(new Answer("q", json("2")));
    assertThat(store.entryCount("thread")).isEqualTo(store.entries(entry("run", "kind")).size());
    assertHeld(store, later);
  }

  @Test
  default void a_thread_that_somebody_acquired_since_it_was_read_is_not_acquired(
      CompleteCheckpointer store) {
    var unknown = idle(store);
    var history = History.of(store);
    history.commit(one());
    assertThat(acquire(store, unknown, commit("x", Optional.empty()))).isEmpty();
    store.release(history.lease());
    assertThat(acquire(store, unknown, commit("x", Optional.empty()))).isEmpty();
    var known = idle(store);
    var other = hold(store, "thread");
    assertThat(acquire(store, known, answer(store, "q"))).isEmpty();
    assertHeld(store, other);
    store.release(other);
    assertThat(acquire(store, known, answer(store, "q"))).isEmpty();
    assertThat(store.answers(LINEAGE, "c0")).isEmpty();
    assertThat(store.entryCount("thread")).isZero();
    assertThat(acquire(store, idle(store), answer(store, "q"))).isPresent();
    history.agrees();
  }

  @Test
  default void a_refused_first_write_leaves_the_thread_free(CompleteCheckpointer store) {
    var unknown = idle(store);
    assertThat(acquire(store, unknown, commit("c1", Optional.of("c0")))).isEmpty();
    var cannot =
        new FirstWrite.OfCommit(
            new Commit(
                LINEAGE,
                checkpoint("c0", Optional.empty(), 0),
                List.of(items("list", 1, 7, json("1")))));
    assertThatThrownBy(() -> acquire(store, unknown, cannot))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.threadRecord(LINEAGE)).isEmpty();
    var lease = acquire(store, idle(store), commit("c0", Optional.empty())).orElseThrow();
    var first = List.of(new Answer("q", json("1")));
    store.answer(lease, LINEAGE, "c0", first, List.of());
    store.release(lease);
    assertThat(acquire(store, idle(store), answer(store, "q"))).isEmpty();
    assertThat(store.answers(LINEAGE, "c0")).isEqualTo(first);
    assertThat(store.entryCount("thread")).isZero();
    assertThat(acquire(store, idle(store), answer(store, "other"))).isPresent();
  }

  /// A thread without a holder must not change between a read and the write that acquires it.
  @Test
  default void a_released_lease_writes_nothing(CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(one());
    var old = history.lease();
    store.release(old);
    idle(store);
    var next = new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of());
    var step = new StepRecord("t", "mail", json("1"));
    var answers = List.of(new Answer("q", json("2")));
    assertLost(() -> store.commit(old, next));
    assertLost(() -> store.commitLast(old, next));
    assertLost(() -> store.saveTask(old, LINEAGE, "c0", ended("t"), List.of()));
    assertLost(() -> store.saveTaskLast(old, LINEAGE, "c0", ended("t"), List.of()));
    assertLost(() -> store.saveStep(old, LINEAGE, "c0", step));
    assertLost(() -> store.answer(old, LINEAGE, "c0", answers, List.of()));
    assertLost(() -> store.renew(old, Duration.ofHours(1)));
    assertThat(acquire(store, idle(store), answer(store, "q"))).isPresent();
    history.agrees();
  }

  private static void assertLost(ThrowingCallable write) {
    assertThatThrownBy(write).isInstanceOf(LeaseLost.class);
  }

  private static TaskRecord ended(String task) {
    return new TaskRecord(task, "n", new End.Finished(List.of(), Optional.empty(), List.of()));
  }
}
