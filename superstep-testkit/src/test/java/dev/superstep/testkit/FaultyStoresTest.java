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
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Stores with one fault each, which the suites for stores must find; the same tests pass for a
/// store without it.
@Tag("T88")
@Tag("W20")
final class FaultyStoresTest {
  private static final int CELLS = 20;

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

  /// Runs cells one after the other until one of them finds the fault; without it, none does.
  private static void findsByCells(Function<Checkpointer, Checkpointer> fault) throws Exception {
    cells(store -> store);
    assertThatThrownBy(() -> cells(fault))
        .isInstanceOfAny(AssertionError.class, SuperstepException.class, ExecutionException.class);
  }

  private static void cells(Function<Checkpointer, Checkpointer> fault) throws Exception {
    for (int i = 0; i < CELLS; i++) {
      var cell = ResumptionCell.draw(Choices.random(i), Durability.SYNC);
      try (var store = fault.apply(new InMemoryCheckpointer())) {
        cell.check(store, Optional::empty, "t");
      }
    }
  }

  /// Says that it keeps the results of steps, and does not.
  private static final class Forgetful extends ForwardingCheckpointer {
    Forgetful(Checkpointer store) {
      super(store);
    }

    @Override
    public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
      return step;
    }
  }

  @Test
  void a_store_that_forgets_results_of_steps_is_found() throws Exception {
    findsByCells(Forgetful::new);
  }

  /// Gives a thread to whoever asks for it, also while another one has it.
  private static final class Generous extends ForwardingCheckpointer {
    Generous(Checkpointer store) {
      super(store);
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      super.breakLease(thread);
      return super.acquire(thread, owner, time);
    }
  }

  @Test
  void a_store_that_gives_a_thread_to_several_at_once_is_found() throws Exception {
    findsByCells(Generous::new);
  }

  /// Reads the state of a thread before it waits for the thread, so that it may be outdated.
  private static final class ReadsFirst extends ForwardingCheckpointer {
    private final Map<String, Optional<Saved>> read = new ConcurrentHashMap<>();

    ReadsFirst(Checkpointer store) {
      super(store);
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      read.putIfAbsent(thread, super.latest(Lineage.of(thread)));
      return super.acquire(thread, owner, time);
    }

    @Override
    public Optional<Saved> latest(Lineage lineage) {
      var outdated = read.remove(lineage.thread());
      return outdated == null ? super.latest(lineage) : outdated;
    }
  }

  @Test
  void a_store_that_reads_a_thread_before_it_has_it_is_found() throws Exception {
    findsByCells(ReadsFirst::new);
  }
}
