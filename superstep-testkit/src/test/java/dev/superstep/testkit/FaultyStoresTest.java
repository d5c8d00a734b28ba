package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Stores with one fault each, which the suites for stores must find; the same tests pass for a
/// store without it.
@Tag("T88")
@Tag("W20")
final class FaultyStoresTest {
  private interface SuiteTest {
    void on(FullCheckpointerSuite suite, CompleteCheckpointer store) throws Exception;
  }

  private static FullCheckpointerSuite suite(Function<Checkpointer, Checkpointer> fault) {
    return () -> fault.apply(new InMemoryCheckpointer());
  }

  private static void finds(SuiteTest test, Function<Checkpointer, Checkpointer> fault)
      throws Exception {
    run(test, suite(store -> store));
    assertThatThrownBy(() -> run(test, suite(fault))).isInstanceOf(AssertionError.class);
  }

  private static void run(SuiteTest test, FullCheckpointerSuite suite) throws Exception {
    try (var store = CompleteCheckpointer.of(suite.fresh())) {
      test.on(suite, store);
    }
  }

  /// Keeps a request to cancel until the thread is taken in a way that makes it forget.
  private static final class Remembering extends ForwardingCheckpointer {
    private final Set<String> requested = ConcurrentHashMap.newKeySet();
    private final Set<String> released = ConcurrentHashMap.newKeySet();
    private final boolean onlyAfterRelease;

    Remembering(Checkpointer store, boolean onlyAfterRelease) {
      super(store);
      this.onlyAfterRelease = onlyAfterRelease;
    }

    @Override
    public boolean requestCancel(String thread) {
      boolean isHeard = super.requestCancel(thread);
      if (isHeard) requested.add(thread);
      return isHeard;
    }

    @Override
    public void release(Lease lease) {
      store().release(lease);
      released.add(lease.thread());
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      var lease = store().acquire(thread, owner, time);
      if (released.remove(thread) && onlyAfterRelease) requested.remove(thread);
      return lease;
    }

    @Override
    public boolean renew(Lease lease, Duration time) {
      return store().renew(lease, time) || requested.contains(lease.thread());
    }
  }

  @Test
  void a_store_whose_requests_to_cancel_outlast_a_release_is_found() throws Exception {
    finds(
        LeaseControlSuite::a_request_to_cancel_is_forgotten_when_another_takes_the_thread,
        store -> new Remembering(store, false));
  }

  @Test
  void a_store_whose_requests_to_cancel_outlast_only_a_takeover_is_found() throws Exception {
    finds(
        LeaseControlSuite::a_request_to_cancel_is_forgotten_when_another_takes_the_thread,
        store -> new Remembering(store, true));
  }

  /// Looks at the lease first and writes afterwards, so another holder may come in between.
  private static final class Unlocked extends ForwardingCheckpointer {
    private final List<TaskRecord> tasks = new CopyOnWriteArrayList<>();
    private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

    Unlocked(Checkpointer store) {
      super(store);
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      var lease = store().acquire(thread, owner, time);
      tokens.add(lease.token());
      return lease;
    }

    @Override
    public TaskRecord saveTask(
        Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      super.append(lease, List.of());
      int before = tokens.size();
      // The fault, drawn out so that it shows each time: after its first write, the holder of
      // before waits between looking and writing until the thread was taken.
      boolean waits = task.task().endsWith("-1");
      for (int i = 0; waits && tokens.size() == before && i < LeaseSuite.TRIES_MAX; i++) {
        Thread.yield();
      }
      if (waits) awaitReading();
      tasks.add(task);
      return task;
    }

    private volatile int readings;

    private void awaitReading() {
      for (int i = 0; readings == 0 && i < LeaseSuite.TRIES_MAX; i++) Thread.yield();
    }

    @Override
    public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
      var all = new ArrayList<>(tasks);
      readings++;
      return all;
    }
  }

  @Test
  void a_store_that_looks_at_the_lease_and_writes_without_a_lock_is_found() throws Exception {
    finds(LeaseSuite::a_former_holder_writes_nothing_after_a_takeover, Unlocked::new);
  }

  /// Takes writes from whoever held the thread before.
  private static final class Trusting extends ForwardingCheckpointer {
    Trusting(Checkpointer store) {
      super(store);
    }

    @Override
    public void append(Lease lease, List<Entry> entries) {
      try {
        super.append(lease, entries);
      } catch (LeaseLost _) {
        assertThat(entries).isNotNull();
      }
    }
  }

  @Test
  void a_store_that_does_not_refuse_an_old_lease_is_found() throws Exception {
    finds(LeaseSuite::no_write_with_an_old_lease_changes_anything, Trusting::new);
  }
}
