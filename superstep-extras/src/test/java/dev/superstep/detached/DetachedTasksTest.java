package dev.superstep.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.detached.TaskState.Cancelled;
import dev.superstep.detached.TaskState.Failed;
import dev.superstep.detached.TaskState.Finished;
import dev.superstep.detached.TaskState.Running;
import dev.superstep.detached.TaskState.Stopping;
import dev.superstep.node.Ids;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("T108")
@Timeout(120)
class DetachedTasksTest {
  static final Duration LONG = Duration.ofMinutes(1);
  static final Duration SHORT = Duration.ofMillis(20);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final AtomicInteger last = new AtomicInteger();
  private final Ids ids = () -> "task-" + last.incrementAndGet();

  DetachedTasks<String> open(int most, Duration grace) {
    return DetachedTasks.open(most, grace, now::get, ids);
  }

  void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  /// Work that ends only when its thread is interrupted.
  static String stubborn() throws InterruptedException {
    new CountDownLatch(1).await();
    return "never";
  }

  /// Work that ends when it sees that it should.
  static String polite(Cancellation cancellation) {
    while (true) {
      cancellation.check();
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  @Test
  void a_task_gives_its_result_as_often_as_it_is_asked_for() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var id = alice.start("search", _ -> "found");
      assertThat(alice.await(id, LONG)).isEqualTo(new Finished<>("found"));
      assertThat(alice.await(id, Duration.ZERO)).isEqualTo(new Finished<>("found"));
    }
  }

  @Test
  void a_task_whose_await_timed_out_can_be_awaited_again() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var go = new CountDownLatch(1);
      var id =
          alice.start(
              "search",
              _ -> {
                go.await();
                return "found";
              });
      assertThat(alice.await(id, SHORT)).isEqualTo(new Running<>(Stopping.NOT_ASKED));
      assertThat(tasks.size()).isEqualTo(1);
      go.countDown();
      assertThat(alice.await(id, LONG)).isEqualTo(new Finished<>("found"));
    }
  }

  @Test
  void whatever_work_throws_is_saved_as_its_failure() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var error = new IOException("no network");
      var id =
          alice.start(
              "search",
              _ -> {
                throw error;
              });
      assertThat(alice.await(id, LONG)).isEqualTo(new Failed<>(error));
      var deep =
          alice.start(
              "search",
              _ -> {
                throw new StackOverflowError();
              });
      assertThat(alice.await(deep, LONG)).isInstanceOf(Failed.class);
    }
  }

  @Test
  void only_its_owner_can_see_await_or_cancel_a_task() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var bob = tasks.ownedBy("bob");
      var go = new CountDownLatch(1);
      var id =
          alice.start(
              "search",
              cancellation -> {
                go.await();
                return "cancelled: " + cancellation.isRequested();
              });
      for (var call :
          List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
              () -> bob.await(id, LONG), () -> bob.cancel(id), () -> bob.info(id))) {
        assertThatExceptionOfType(NotTheOwner.class)
            .isThrownBy(call)
            .satisfies(e -> assertThat(e.owner()).isEqualTo("bob"))
            .withMessageNotContaining("alice");
      }
      assertThat(bob.all()).isEmpty();
      assertThat(alice.all()).hasSize(1);
      assertThat(tasks.ownedBy("alice").info(id).name()).isEqualTo("search");
      go.countDown();
      assertThat(alice.await(id, LONG)).isEqualTo(new Finished<>("cancelled: false"));
    }
  }

  @Test
  void a_task_that_heeds_its_cancellation_is_not_interrupted() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var id = alice.start("search", DetachedTasksTest::polite);
      assertThat(alice.cancel(id))
          .isInstanceOfSatisfying(Cancelled.class, end -> assertThat(end.interrupted()).isFalse());
    }
  }

  @Test
  void work_may_still_give_a_result_when_it_is_asked_to_stop() throws Exception {
    try (var tasks = open(5, LONG)) {
      var alice = tasks.ownedBy("alice");
      var id =
          alice.start(
              "search",
              cancellation -> {
                while (!cancellation.isRequested()) Thread.yield();
                return "half of it";
              });
      assertThat(alice.cancel(id)).isEqualTo(new Finished<>("half of it"));
    }
  }

  @Test
  void a_task_that_does_not_heed_it_is_interrupted_after_the_grace() throws Exception {
    try (var tasks = open(5, SHORT)) {
      var alice = tasks.ownedBy("alice");
      var saw = new AtomicReference<Boolean>();
      var id =
          alice.start(
              "search",
              cancellation -> {
                try {
                  return stubborn();
                } finally {
                  saw.set(cancellation.isRequested());
                }
              });
      alice.cancel(id);
      assertThat(alice.await(id, LONG))
          .isInstanceOfSatisfying(
              Cancelled.class,
              end -> {
                assertThat(end.interrupted()).isTrue();
                assertThat(end.error()).isInstanceOf(InterruptedException.class);
              });
      assertThat(saw).as("it was asked first").hasValue(true);
    }
  }

  @Test
  void a_task_that_ignores_its_cancellation_is_still_listed_as_running() throws Exception {
    var go = new AtomicBoolean();
    try (var tasks = open(5, SHORT)) {
      var alice = tasks.ownedBy("alice");
      var id =
          alice.start(
              "search",
              _ -> {
                while (!go.get()) Thread.yield();
                return "at last";
              });
      assertThat(alice.cancel(id)).isEqualTo(new Running<>(Stopping.INTERRUPTED));
      assertThat(tasks.sweep(Duration.ZERO)).isZero();
      go.set(true);
      assertThat(alice.await(id, LONG)).isEqualTo(new Finished<>("at last"));
    }
  }

  @Test
  void a_sweep_removes_only_tasks_that_ended_long_enough_ago() throws Exception {
    try (var tasks = open(5, SHORT)) {
      var alice = tasks.ownedBy("alice");
      var bob = tasks.ownedBy("bob");
      var atWork = bob.start("endless", _ -> stubborn());
      var old = alice.start("old", _ -> "old");
      alice.await(old, LONG);
      pass(Duration.ofHours(1));
      var young = bob.start("young", _ -> "young");
      bob.await(young, LONG);
      pass(Duration.ofMinutes(10));
      assertThat(tasks.sweep(Duration.ofMinutes(30))).isEqualTo(1);
      assertThatExceptionOfType(UnknownDetachedTask.class).isThrownBy(() -> alice.info(old));
      assertThat(bob.all()).extracting(TaskInfo::id).containsExactly(atWork, young);
      var info = bob.info(young);
      assertThat(info.started()).isEqualTo(Instant.EPOCH.plus(Duration.ofHours(1)));
      assertThat(info.ended()).contains(info.started());
      pass(Duration.ofDays(1));
      assertThat(tasks.sweep(Duration.ZERO)).isEqualTo(1);
      assertThat(bob.all()).extracting(TaskInfo::id).containsExactly(atWork);
    }
  }

  @Test
  void the_number_of_tasks_is_limited() throws Exception {
    try (var tasks = open(2, SHORT)) {
      var alice = tasks.ownedBy("alice");
      alice.start("endless", _ -> stubborn());
      alice.await(alice.start("quick", _ -> "x"), LONG);
      assertThatExceptionOfType(TooManyDetachedTasks.class)
          .isThrownBy(() -> tasks.ownedBy("bob").start("more", _ -> "y"))
          .satisfies(e -> assertThat(e.running()).isEqualTo(1));
      tasks.sweep(Duration.ZERO);
      assertThat(alice.await(alice.start("more", _ -> "y"), LONG)).isEqualTo(new Finished<>("y"));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> open(0, SHORT));
    assertThatIllegalArgumentException().isThrownBy(() -> open(1, SHORT.negated()));
  }

  @Test
  void a_closed_registry_has_stopped_all_and_can_still_be_read() throws Exception {
    var tasks = open(5, SHORT);
    var alice = tasks.ownedBy("alice");
    var done = alice.start("done", _ -> "x");
    alice.await(done, LONG);
    var polite = alice.start("polite", DetachedTasksTest::polite);
    var stubborn = alice.start("stubborn", _ -> stubborn());
    tasks.close();
    assertThat(alice.await(polite, LONG)).isInstanceOf(Cancelled.class);
    assertThat(alice.await(stubborn, LONG)).isInstanceOf(Cancelled.class);
    assertThat(alice.await(done, LONG)).isEqualTo(new Finished<>("x"));
    assertThatExceptionOfType(DetachedTasksClosed.class)
        .isThrownBy(() -> alice.start("late", _ -> "y"));
    tasks.close();
  }

  @Test
  void a_caller_that_is_interrupted_closes_without_waiting_and_stays_interrupted()
      throws Exception {
    var tasks = open(5, LONG);
    var alice = tasks.ownedBy("alice");
    var id = alice.start("stubborn", _ -> stubborn());
    Thread.currentThread().interrupt();
    tasks.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(alice.await(id, LONG)).isInstanceOf(Cancelled.class);
  }

  @Test
  void a_start_that_races_a_close_leaves_no_running_task() throws Exception {
    for (int i = 0; i < 200; i++) {
      var tasks = DetachedTasks.<String>open(5, Duration.ZERO);
      var alice = tasks.ownedBy("alice");
      var started = new ArrayList<String>();
      var starter =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  started.add(alice.start("stubborn", _ -> stubborn()));
                } catch (DetachedTasksClosed _) {
                  // It came too late, which is as good.
                }
              });
      tasks.close();
      starter.join();
      for (var id : started) assertThat(alice.await(id, LONG)).isInstanceOf(Cancelled.class);
    }
  }

  @Test
  @Tag("T133")
  void whoever_waits_for_any_learns_which_ended_first() throws Exception {
    try (var tasks = open(5, SHORT)) {
      var owned = tasks.ownedBy("alice");
      var gate = new CountDownLatch(1);
      var slow = owned.start("slow", _ -> stubborn());
      var quick =
          owned.start(
              "quick",
              _ -> {
                gate.await();
                return "done";
              });
      assertThat(owned.awaitAny(List.of(slow, quick), Duration.ZERO)).isEmpty();
      gate.countDown();
      assertThat(owned.awaitAny(List.of(slow, quick), LONG)).contains(quick);
      assertThat(owned.awaitAny(List.of(quick, slow), Duration.ZERO)).contains(quick);
      assertThatExceptionOfType(NotTheOwner.class)
          .isThrownBy(() -> tasks.ownedBy("bob").awaitAny(List.of(quick), LONG));
    }
  }

  @Test
  @Tag("T133")
  void a_task_has_its_labels() {
    try (var tasks = open(5, SHORT)) {
      var owned = tasks.ownedBy("alice");
      var id = owned.start("work", java.util.Map.of("kind", "tool"), _ -> "done");
      assertThat(owned.info(id).labels()).containsExactly(java.util.Map.entry("kind", "tool"));
    }
  }
}
