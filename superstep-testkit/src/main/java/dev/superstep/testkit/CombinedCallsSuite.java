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
import dev.superstep.checkpoint.Capability;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadBusy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests of taking a thread in one transaction with reading it, and of releasing it with the last
/// write. For every [Capability.CombinedCalls].
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
    if (store.can(Capability.LeaseControl.class)) {
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

  private static TaskRecord ended(String task) {
    return new TaskRecord(task, "n", new End.Finished(List.of(), Optional.empty(), List.of()));
  }
}
