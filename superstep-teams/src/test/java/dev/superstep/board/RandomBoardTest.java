package dev.superstep.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.InMemoryStore;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.ManualClock;
import dev.superstep.testkit.Property;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whatever is done to a board in whatever order, it stands as a simple model of it says.
@Tag("T107")
@Tag("X1")
class RandomBoardTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 60);
  private static final int STEPS = 60;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private enum Kind {
    ADD,
    SUBMIT,
    CLAIM,
    CLAIM_ONE,
    FINISH,
    BEAT,
    TICK,
    APPROVE,
    BLOCK,
    BLOCK_OWN,
    UNBLOCK,
    RELEASE,
    RECLAIM,
    REVISE,
    REJECT,
    SWEEP
  }

  /// @param who a worker, 0 to 2
  /// @param which a task, by its number
  private record Op(Kind kind, int who, int which) {
    static Op draw(Choices choices) {
      // Most of what is done leads on, or little would ever be finished.
      var kind =
          choices.chance(60)
              ? choices.of(Kind.ADD, Kind.SUBMIT, Kind.CLAIM, Kind.FINISH)
              : choices.of(Kind.values());
      return new Op(kind, choices.below(3), choices.between(1, 6));
    }
  }

  private record Plan(boolean oneInAll, List<Op> ops) {}

  @Test
  void a_board_behaves_like_its_model() throws InterruptedException {
    var done = new AtomicInteger();
    var refused = new AtomicInteger();
    Property.check(
        107,
        CASES,
        choices -> new Plan(choices.chance(30), choices.list(STEPS, Op::draw)),
        plan -> {
          var both = new Both(plan);
          for (var op : plan.ops()) {
            both.doBoth(op);
            both.compare();
          }
          done.addAndGet(both.done);
          refused.addAndGet(both.refused);
        });
    // Else it would have shown nothing.
    assertThat(done.get()).isGreaterThan(CASES / 10);
    assertThat(refused.get()).isGreaterThan(CASES);
  }

  /// A task as the model knows it.
  private static final class Simple {
    TaskStatus status = TaskStatus.TODO;
    int worker = -1;
    int lost;
    long claims;
    Duration beat = Duration.ZERO;
  }

  private static final class Both {
    private final Board board;
    private final boolean oneInAll;
    private final ManualClock clock = ManualClock.at("2026-01-02T03:04:05Z");
    private final Map<Integer, Simple> model = new HashMap<>();
    private final Map<Integer, Claim> claims = new HashMap<>();
    private Duration now = Duration.ZERO;
    private int next = 1;
    private int done;
    private int refused;

    Both(Plan plan) {
      oneInAll = plan.oneInAll();
      // Those with an even number need approval.
      var policy =
          BoardPolicy.standard().heartbeatLimit(LIMIT).approving(task -> number(task) % 2 == 0);
      board =
          Board.named("b", InMemoryStore.open())
              .policy(oneInAll ? policy.oneAtATime() : policy)
              .clock(clock);
    }

    private static int number(BoardTask task) {
      return Integer.parseInt(task.id().substring(1));
    }

    void doBoth(Op op) {
      if (needsClaim(op) && !claims.containsKey(op.who())) return;
      boolean isRefused = false;
      try {
        real(op);
      } catch (IllegalTransition | ClaimLost | TaskInProgress | UnknownTask _) {
        isRefused = true;
        refused++;
      }
      assertThat(!simple(op)).as("%s is refused", op).isEqualTo(isRefused);
    }

    private void real(Op op) {
      var id = "t" + op.which();
      var worker = "w" + op.who();
      switch (op.kind()) {
        case ADD -> board.add(NewTask.of("a"));
        case SUBMIT -> board.submit(id);
        case CLAIM -> board.claim(worker).ifPresent(claim -> claims.put(op.who(), claim));
        case CLAIM_ONE -> claims.put(op.who(), board.claim(worker, id));
        case FINISH -> board.finish(claim(op), "done");
        case BEAT -> board.heartbeat(claim(op));
        case TICK -> clock.advance(Duration.ofMinutes(op.which()));
        case APPROVE -> board.approve(id, "boss");
        case BLOCK -> board.block(id, "because");
        case BLOCK_OWN -> board.block(claim(op), "because");
        case UNBLOCK -> board.unblock(id);
        case RELEASE -> board.release(claim(op));
        case RECLAIM -> board.reclaim();
        case REVISE -> board.revise(id, "b", "");
        case REJECT -> board.reject(id, "because");
        case SWEEP -> board.sweep();
      }
    }

    private static boolean needsClaim(Op op) {
      return switch (op.kind()) {
        case FINISH, BEAT, BLOCK_OWN, RELEASE -> true;
        default -> false;
      };
    }

    private Claim claim(Op op) {
      return java.util.Objects.requireNonNull(claims.get(op.who()));
    }

    /// Whether the model allows it; then it is done to the model.
    private boolean simple(Op op) {
      var task = model.get(op.which());
      return switch (op.kind()) {
        case ADD -> model.put(next++, new Simple()) == null;
        case TICK -> {
          now = now.plusMinutes(op.which());
          yield true;
        }
        case SWEEP -> {
          model.values().removeIf(one -> one.status.isFinal());
          yield true;
        }
        case RECLAIM -> {
          reclaim();
          yield true;
        }
        case CLAIM -> claimNext(op.who());
        case CLAIM_ONE -> claimOne(op.who(), task);
        case FINISH, BEAT, BLOCK_OWN, RELEASE -> own(op);
        case SUBMIT ->
            move(
                task,
                op.which() % 2 == 0 ? TaskStatus.AWAITING_APPROVAL : TaskStatus.READY,
                TaskStatus.TODO);
        case APPROVE -> move(task, TaskStatus.READY, TaskStatus.AWAITING_APPROVAL);
        case BLOCK -> move(task, TaskStatus.BLOCKED, TaskStatus.READY, TaskStatus.IN_PROGRESS);
        case UNBLOCK -> {
          boolean may = move(task, TaskStatus.READY, TaskStatus.BLOCKED);
          if (may) task.lost = 0;
          yield may;
        }
        case REVISE -> {
          boolean may =
              move(
                  task,
                  TaskStatus.TODO,
                  TaskStatus.TODO,
                  TaskStatus.AWAITING_APPROVAL,
                  TaskStatus.READY,
                  TaskStatus.BLOCKED);
          if (may) task.lost = 0;
          yield may;
        }
        case REJECT ->
            move(
                task,
                TaskStatus.REJECTED,
                TaskStatus.TODO,
                TaskStatus.AWAITING_APPROVAL,
                TaskStatus.READY,
                TaskStatus.IN_PROGRESS,
                TaskStatus.BLOCKED);
      };
    }

    private static boolean move(Simple task, TaskStatus to, TaskStatus... from) {
      if (task == null || !List.of(from).contains(task.status)) return false;
      task.status = to;
      return true;
    }

    private boolean own(Op op) {
      var held = claims.get(op.who());
      var task = model.get(number(held.task()));
      boolean has = task != null && task.status == TaskStatus.IN_PROGRESS;
      if (!has || task.worker != op.who() || task.claims != held.number()) return false;
      switch (op.kind()) {
        case FINISH -> {
          task.status = TaskStatus.DONE;
          done++;
        }
        case BEAT -> task.beat = now;
        case BLOCK_OWN -> task.status = TaskStatus.BLOCKED;
        case RELEASE -> task.status = TaskStatus.READY;
        default -> throw new IllegalArgumentException(op + "");
      }
      return true;
    }

    private boolean claimNext(int who) {
      if (isBusyAfterReclaim(who)) return false;
      reclaim();
      if (oneInAll && inProgress() > 0) return true;
      model.entrySet().stream()
          .filter(entry -> entry.getValue().status == TaskStatus.READY)
          .min(Map.Entry.comparingByKey())
          .ifPresent(entry -> take(entry.getValue(), who));
      return true;
    }

    private boolean claimOne(int who, Simple task) {
      boolean isReady =
          task != null && (task.status == TaskStatus.READY || (isLost(task) && task.lost + 1 < 3));
      boolean isBusy =
          oneInAll ? model.values().stream().anyMatch(this::isHeld) : isBusyAfterReclaim(who);
      if (!isReady || isBusy) return false;
      reclaim();
      take(task, who);
      return true;
    }

    private void take(Simple task, int who) {
      task.status = TaskStatus.IN_PROGRESS;
      task.worker = who;
      task.claims++;
      task.beat = now;
    }

    private boolean isHeld(Simple task) {
      return task.status == TaskStatus.IN_PROGRESS && !isLost(task);
    }

    private boolean isBusyAfterReclaim(int who) {
      return model.values().stream().anyMatch(task -> isHeld(task) && task.worker == who);
    }

    private boolean isLost(Simple task) {
      return task.status == TaskStatus.IN_PROGRESS && now.minus(task.beat).compareTo(LIMIT) > 0;
    }

    private void reclaim() {
      for (var task : model.values()) {
        if (!isLost(task)) continue;
        task.lost++;
        task.status = task.lost >= 3 ? TaskStatus.BLOCKED : TaskStatus.READY;
      }
    }

    private long inProgress() {
      return model.values().stream().filter(t -> t.status == TaskStatus.IN_PROGRESS).count();
    }

    void compare() {
      var shown = new HashMap<Integer, TaskStatus>();
      for (var task : board.tasks()) shown.put(number(task), task.status());
      var expected = new HashMap<Integer, TaskStatus>();
      model.forEach((number, task) -> expected.put(number, task.status));
      assertThat(shown).isEqualTo(expected);
      for (var task : board.tasks(TaskStatus.IN_PROGRESS)) {
        boolean needed = number(task) % 2 == 0;
        if (needed) assertThat(task.approvedBy()).as("%s is approved", task.id()).isPresent();
        assertThat(task.worker()).contains("w" + model.get(number(task)).worker);
      }
      assertThat(board.tasks(TaskStatus.IN_PROGRESS).stream().map(BoardTask::worker))
          .as("one for each worker")
          .doesNotHaveDuplicates()
          .hasSizeLessThanOrEqualTo(oneInAll ? 1 : 3);
    }
  }
}
