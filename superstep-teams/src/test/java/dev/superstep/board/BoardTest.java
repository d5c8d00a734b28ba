package dev.superstep.board;

import static dev.superstep.board.TaskStatus.AWAITING_APPROVAL;
import static dev.superstep.board.TaskStatus.BLOCKED;
import static dev.superstep.board.TaskStatus.DONE;
import static dev.superstep.board.TaskStatus.IN_PROGRESS;
import static dev.superstep.board.TaskStatus.READY;
import static dev.superstep.board.TaskStatus.REJECTED;
import static dev.superstep.board.TaskStatus.TODO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.store.InMemoryStore;
import dev.superstep.testkit.ManualClock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@Tag("T107")
class BoardTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualClock clock = ManualClock.at("2026-01-02T03:04:05Z");
  private final BoardPolicy policy = BoardPolicy.standard().heartbeatLimit(MINUTE);
  private final Board board = Board.named("b", InMemoryStore.open()).policy(policy).clock(clock);

  private String ready(String title) {
    return board.add(NewTask.of(title).submitted()).id();
  }

  private TaskStatus status(String id) {
    return board.find(id).orElseThrow().status();
  }

  @Test
  void a_task_goes_from_an_idea_to_its_result() {
    var task = board.add(NewTask.of("Bake").details("bread"));
    assertThat(task.status()).isEqualTo(TODO);
    assertThat(board.claim("ann")).isEmpty();
    assertThat(board.submit(task.id()).status()).isEqualTo(READY);
    var claim = board.claim("ann").orElseThrow();
    assertThat(claim.task().status()).isEqualTo(IN_PROGRESS);
    assertThat(board.note(claim, "in the oven").note()).isEqualTo("in the oven");
    var done = board.finish(claim, "a loaf");
    assertThat(done)
        .extracting(BoardTask::status, BoardTask::result, BoardTask::title, BoardTask::details)
        .containsExactly(DONE, "a loaf", "Bake", "bread");
    assertThat(done.worker()).contains("ann");
    assertThat(board.tasks()).containsExactly(done);
  }

  @Test
  void tasks_are_claimed_in_the_order_of_addition() {
    ready("a");
    ready("b");
    assertThat(board.claim("ann").orElseThrow().task().title()).isEqualTo("a");
    assertThat(board.claim("bob").orElseThrow().task().title()).isEqualTo("b");
    assertThat(board.claim("cleo")).isEmpty();
  }

  @Test
  void a_worker_has_one_task_at_a_time() {
    var one = ready("a");
    var other = ready("b");
    var claim = board.claim("ann", one);
    assertThatThrownBy(() -> board.claim("ann"))
        .isInstanceOf(TaskInProgress.class)
        .hasMessageContaining("`ann` has task `t1`");
    assertThatThrownBy(() -> board.claim("ann", other)).isInstanceOf(TaskInProgress.class);
    board.release(claim);
    assertThat(status(one)).isEqualTo(READY);
    assertThat(board.claim("ann", other).id()).isEqualTo(other);
  }

  @Test
  void a_board_may_have_one_task_in_progress_in_all() {
    var strict = board.policy(policy.oneAtATime());
    ready("a");
    var other = ready("b");
    var claim = strict.claim("ann").orElseThrow();
    assertThat(strict.claim("bob")).isEmpty();
    assertThatThrownBy(() -> strict.claim("bob", other))
        .isInstanceOf(TaskInProgress.class)
        .hasMessageContaining("one at a time: `ann` has `t1`");
    strict.finish(claim, "");
    assertThat(strict.claim("bob")).isPresent();
  }

  @Test
  void a_task_that_needs_approval_cannot_be_claimed_before() {
    var careful = board.policy(policy.approving(task -> task.title().startsWith("Pay")));
    careful.add(NewTask.of("Look").submitted());
    var pay = careful.add(NewTask.of("Pay Bob").submitted());
    assertThat(pay.status()).isEqualTo(AWAITING_APPROVAL);
    careful.claim("ann");
    assertThat(careful.claim("bob")).isEmpty();
    assertThatThrownBy(() -> careful.claim("bob", pay.id())).isInstanceOf(IllegalTransition.class);
    var approved = careful.approve(pay.id(), "the boss");
    assertThat(approved.approvedBy()).contains("the boss");
    assertThat(careful.claim("bob").orElseThrow().id()).isEqualTo(pay.id());
  }

  @Test
  void a_revised_task_must_be_approved_again() {
    var careful = board.policy(policy.approvingAll());
    var id = careful.add(NewTask.of("Pay 1").submitted()).id();
    careful.approve(id, "the boss");
    var revised = careful.revise(id, "Pay 1000", "");
    assertThat(revised.status()).isEqualTo(TODO);
    assertThat(revised.approvedBy()).isEmpty();
    assertThat(careful.submit(id).status()).isEqualTo(AWAITING_APPROVAL);
  }

  @Test
  void a_blocked_or_rejected_task_has_a_reason() {
    var id = ready("a");
    var claim = board.claim("ann").orElseThrow();
    assertThat(board.block(claim, "no flour").reason()).isEqualTo("no flour");
    assertThat(status(id)).isEqualTo(BLOCKED);
    assertThat(board.unblock(id).reason()).isEmpty();
    assertThat(board.reject(id, "too late").reason()).isEqualTo("too late");
    assertThat(status(id)).isEqualTo(REJECTED);
    assertThatIllegalArgumentException().isThrownBy(() -> board.block(id, " "));
    assertThatIllegalArgumentException().isThrownBy(() -> board.reject(id, ""));
  }

  @Test
  void a_worker_without_heartbeats_loses_its_task() {
    var id = ready("a");
    var claim = board.claim("ann").orElseThrow();
    clock.advance(MINUTE);
    assertThat(board.reclaim()).as("at the limit it is still hers").isEmpty();
    clock.advance(Duration.ofMillis(1));
    assertThat(board.reclaim()).extracting(BoardTask::id).containsExactly(id);
    assertThat(board.find(id).orElseThrow().reason()).isEqualTo("worker `ann` was lost");
    assertThat(status(id)).isEqualTo(READY);
    assertThatThrownBy(() -> board.heartbeat(claim)).isInstanceOf(ClaimLost.class);
    assertThatThrownBy(() -> board.finish(claim, "x"))
        .isInstanceOf(ClaimLost.class)
        .hasMessageContaining("which is READY now");
  }

  @Test
  void a_heartbeat_and_a_note_keep_a_task() {
    ready("a");
    var claim = board.claim("ann").orElseThrow();
    for (int i = 0; i < 3; i++) {
      clock.advance(MINUTE);
      board.heartbeat(claim);
      clock.advance(MINUTE);
      board.note(claim, "still at it");
    }
    assertThat(board.reclaim()).isEmpty();
    assertThat(board.finish(claim, "done").status()).isEqualTo(DONE);
  }

  @Test
  void a_task_of_a_lost_worker_can_be_claimed_and_its_old_claim_is_invalid() {
    var id = ready("a");
    var lost = board.claim("ann").orElseThrow();
    clock.advance(MINUTE.multipliedBy(2));
    var claim = board.claim("bob").orElseThrow();
    assertThat(claim.id()).isEqualTo(id);
    assertThat(claim.number()).isEqualTo(2);
    assertThatThrownBy(() -> board.finish(lost, "mine"))
        .isInstanceOf(ClaimLost.class)
        .hasMessageContaining("claimed by `bob`");
    assertThat(board.finish(claim, "his").result()).isEqualTo("his");
  }

  @Test
  void a_worker_of_the_same_name_does_not_have_the_claim_of_the_one_before() {
    ready("a");
    var lost = board.claim("ann").orElseThrow();
    clock.advance(MINUTE.multipliedBy(2));
    board.claim("ann").orElseThrow();
    assertThatThrownBy(() -> board.release(lost)).isInstanceOf(ClaimLost.class);
  }

  @Test
  void a_task_that_loses_worker_after_worker_is_blocked() {
    var id = ready("a");
    for (int i = 1; i <= 3; i++) {
      board.claim("w" + i).orElseThrow();
      clock.advance(MINUTE.multipliedBy(2));
      board.reclaim();
      assertThat(status(id)).isEqualTo(i < 3 ? READY : BLOCKED);
    }
    assertThat(board.find(id).orElseThrow().reason())
        .isEqualTo("worker `w3` was lost, the last of 3");
    assertThat(board.unblock(id).lost()).isZero();
  }

  @Test
  void adding_a_task_again_with_its_key_adds_nothing() {
    var first = board.add(NewTask.of("a").key("order-7"));
    assertThat(board.add(NewTask.of("other").key("order-7"))).isEqualTo(first);
    board.add(NewTask.of("a").key("order-8"));
    assertThat(board.tasks()).hasSize(2);
  }

  @Test
  void a_full_board_has_room_again_when_it_is_swept() {
    for (int i = 0; i < Board.TASKS_MAX; i++) ready("a" + i);
    assertThatThrownBy(() -> ready("one more")).isInstanceOf(BoardFull.class);
    board.finish(board.claim("ann").orElseThrow(), "");
    board.reject("t2", "no");
    assertThat(board.sweep()).isEqualTo(2);
    assertThat(board.sweep()).isZero();
    assertThat(ready("one more")).isEqualTo("t" + (Board.TASKS_MAX + 1));
    assertThatThrownBy(() -> board.submit("t1")).isInstanceOf(UnknownTask.class);
  }

  @Test
  void tasks_are_found_by_how_they_stand() {
    ready("a");
    board.add(NewTask.of("b"));
    board.claim("ann");
    assertThat(board.tasks(TODO, IN_PROGRESS))
        .extracting(BoardTask::title)
        .containsExactly("a", "b");
    assertThat(board.tasks(READY)).isEmpty();
    assertThat(board.claimOf("ann").orElseThrow().task().title()).isEqualTo("a");
    assertThat(board.claimOf("bob")).isEmpty();
  }

  /// Written down by hand, so that a change of the table is noticed.
  private static final Map<TaskTransition, Set<TaskStatus>> LEGAL =
      new EnumMap<>(
          Map.of(
              TaskTransition.SUBMIT, Set.of(TODO),
              TaskTransition.APPROVE, Set.of(AWAITING_APPROVAL),
              TaskTransition.CLAIM, Set.of(READY),
              TaskTransition.FINISH, Set.of(IN_PROGRESS),
              TaskTransition.RELEASE, Set.of(IN_PROGRESS),
              TaskTransition.RECLAIM, Set.of(IN_PROGRESS),
              TaskTransition.BLOCK, Set.of(READY, IN_PROGRESS),
              TaskTransition.UNBLOCK, Set.of(BLOCKED),
              TaskTransition.REVISE, Set.of(TODO, AWAITING_APPROVAL, READY, BLOCKED),
              TaskTransition.REJECT, Set.of(TODO, AWAITING_APPROVAL, READY, IN_PROGRESS, BLOCKED)));

  /// What can be tried on any task by its id.
  private static final Set<TaskTransition> BY_ID =
      Set.of(
          TaskTransition.SUBMIT,
          TaskTransition.APPROVE,
          TaskTransition.CLAIM,
          TaskTransition.BLOCK,
          TaskTransition.UNBLOCK,
          TaskTransition.REVISE,
          TaskTransition.REJECT);

  @Test
  void the_table_of_moves_is_this_one() {
    for (var move : TaskTransition.values())
      assertThat(move.from()).as("%s", move).isEqualTo(LEGAL.get(move));
    assertThat(Stream.of(TaskStatus.values()).filter(TaskStatus::isFinal))
        .containsExactly(DONE, REJECTED);
  }

  @TestFactory
  Stream<DynamicTest> every_illegal_move_is_refused_and_changes_nothing() {
    return BY_ID.stream()
        .flatMap(move ->
            Stream.of(TaskStatus.values())
                .map(from -> DynamicTest.dynamicTest(move + " " + from, () -> tryOut(move, from))));
  }

  private void tryOut(TaskTransition move, TaskStatus from) {
    var fresh = Board.named(move + " " + from, InMemoryStore.open()).clock(clock);
    var id = taskThatIs(from, fresh);
    var before = fresh.tasks();
    if (move.from().contains(from)) {
      act(fresh, move, id);
      assertThat(move.to()).contains(fresh.find(id).orElseThrow().status());
      return;
    }
    var error = catchThrowableOfType(IllegalTransition.class, () -> act(fresh, move, id));
    assertThat(error.from()).isEqualTo(from);
    assertThat(move.to()).contains(error.to());
    assertThat(error.legal()).isEqualTo(from.next());
    assertThat(error).hasMessageContaining(from.name()).hasMessageContaining(error.to().name());
    for (var legal : from.next()) assertThat(error).hasMessageContaining(legal.name());
    assertThat(fresh.tasks()).isEqualTo(before);
  }

  private static void act(Board board, TaskTransition move, String id) {
    switch (move) {
      case SUBMIT -> board.submit(id);
      case APPROVE -> board.approve(id, "boss");
      case CLAIM -> board.claim("other", id);
      case BLOCK -> board.block(id, "because");
      case UNBLOCK -> board.unblock(id);
      case REVISE -> board.revise(id, "other", "");
      case REJECT -> board.reject(id, "because");
      case FINISH, RELEASE, RECLAIM -> throw new IllegalArgumentException(move + " needs a claim");
    }
  }

  private static String taskThatIs(TaskStatus status, Board board) {
    var id = board.add(NewTask.of("a")).id();
    switch (status) {
      case TODO -> {}
      case AWAITING_APPROVAL -> board.policy(BoardPolicy.standard().approvingAll()).submit(id);
      case READY -> board.submit(id);
      case IN_PROGRESS -> {
        board.submit(id);
        board.claim("ann");
      }
      case BLOCKED -> {
        board.submit(id);
        board.block(id, "because");
      }
      case DONE -> {
        board.submit(id);
        board.finish(board.claim("ann").orElseThrow(), "");
      }
      case REJECTED -> board.reject(id, "because");
    }
    return id;
  }

  @Test
  void a_claim_is_of_no_use_once_the_task_has_left_it() {
    List<java.util.function.Consumer<String>> leaving =
        List.of(
            id -> board.reject(id, "no"),
            id -> board.block(id, "no"),
            id -> board.release(board.claimOf("ann").orElseThrow()),
            id -> board.finish(board.claimOf("ann").orElseThrow(), ""));
    for (var leaves : leaving) {
      var id = ready("a");
      var claim = board.claim("ann", id);
      leaves.accept(id);
      var before = board.tasks();
      assertThatThrownBy(() -> board.heartbeat(claim)).isInstanceOf(ClaimLost.class);
      assertThatThrownBy(() -> board.note(claim, "")).isInstanceOf(ClaimLost.class);
      assertThatThrownBy(() -> board.finish(claim, "")).isInstanceOf(ClaimLost.class);
      assertThatThrownBy(() -> board.block(claim, "no")).isInstanceOf(ClaimLost.class);
      assertThatThrownBy(() -> board.release(claim)).isInstanceOf(ClaimLost.class);
      assertThat(board.tasks()).isEqualTo(before);
    }
  }
}
