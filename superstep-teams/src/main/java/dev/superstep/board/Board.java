package dev.superstep.board;

import dev.superstep.board.BoardStorage.Changed;
import dev.superstep.board.BoardTask.Changing;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// A list of tasks that several workers, agents or people, share. It is stored in a [Store], so
/// workers may be in several processes, and every task is claimed by one of them at a time.
///
/// ```java
/// var board = Board.named("release", store);
/// board.add(NewTask.of("Write the notes").submitted());
/// var claim = board.claim("ann").orElseThrow();
/// board.finish(claim, "notes.md");
/// ```
///
/// A task changes its [TaskStatus] by a [TaskTransition]; a change that no transition allows is an
/// [IllegalTransition]. Depending on the [BoardPolicy], each worker or the whole board has one task
/// in progress at most. Workers send heartbeats. If a worker sends none for longer than the policy
/// allows, others can claim its task. The clocks of all processes should differ by much less than
/// that time.
///
/// Immutable, safe for many threads.
public final class Board {
  /// The maximum number of tasks on a board.
  public static final int TASKS_MAX = 200;

  private final BoardStorage shelf;
  private final BoardPolicy policy;
  private final InstantSource clock;

  private Board(BoardStorage shelf, BoardPolicy policy, InstantSource clock) {
    this.shelf = shelf;
    this.policy = policy;
    this.clock = clock;
  }

  /// A board by its name in a store; it need not be there yet.
  public static Board named(String name, Store store) {
    BoardTextLimits.name("name", name);
    return new Board(new BoardStorage(name, store), BoardPolicy.standard(), InstantSource.system());
  }

  /// Returns the board with another policy.
  public Board policy(BoardPolicy rules) {
    return new Board(shelf, rules, clock);
  }

  /// Returns the board with another clock.
  public Board clock(InstantSource source) {
    return new Board(shelf, policy, source);
  }

  /// Its name.
  public String name() {
    return shelf.name();
  }

  /// All tasks, in the order in which they were added.
  public List<BoardTask> tasks() {
    return shelf.read().tasks();
  }

  /// Returns the tasks with one of these statuses, in the order in which they were added.
  public List<BoardTask> tasks(TaskStatus... statuses) {
    var wanted = Set.of(statuses);
    return tasks().stream().filter(task -> wanted.contains(task.status())).toList();
  }

  /// The task of that id.
  public Optional<BoardTask> find(String id) {
    return shelf.read().find(id);
  }

  /// Returns the claim of the task that a worker has in progress.
  public Optional<Claim> claimOf(String worker) {
    return inProgress(shelf.read(), worker).map(Claim::new);
  }

  /// Adds a task, unless there is one with its key.
  ///
  /// @return the task as it is on the board
  /// @throws BoardFull if there is no room
  public BoardTask add(NewTask given) {
    return shelf.change(board -> {
      var known =
          board.tasks().stream()
              .filter(task -> given.key().isPresent() && task.key().equals(given.key()))
              .findFirst();
      if (known.isPresent()) return new Changed<>(board, known.get());
      if (board.tasks().size() >= TASKS_MAX) throw new BoardFull(name(), TASKS_MAX);
      var now = now();
      var task =
          new BoardTask(
              "t" + board.next(),
              given.key(),
              given.title(),
              given.details(),
              TaskStatus.TODO,
              "",
              Optional.empty(),
              0,
              0,
              Optional.empty(),
              Optional.empty(),
              "",
              "",
              now,
              now);
      var added = given.submit() ? submitted(task) : task;
      return new Changed<>(board.plus(added), added);
    });
  }

  /// Changes what a task says, and makes it [TaskStatus#TODO]: what was approved was another text.
  ///
  /// @throws IllegalTransition if it is in progress or final
  public BoardTask revise(String id, String title, String details) {
    var text = NewTask.of(title).details(details);
    return change(
        id,
        TaskTransition.REVISE,
        TaskStatus.TODO,
        to -> {
          to.title = text.title();
          to.details = text.details();
          to.approvedBy = Optional.empty();
          to.reason = "";
          to.lost = 0;
        });
  }

  /// Says that a task is to be done: it becomes ready, or waits for approval if the policy wants
  /// that.
  ///
  /// @throws IllegalTransition if it is not [TaskStatus#TODO]
  public BoardTask submit(String id) {
    return change(id, this::submitted);
  }

  private BoardTask submitted(BoardTask task) {
    boolean isAsked = policy.approval().test(task);
    var status = isAsked ? TaskStatus.AWAITING_APPROVAL : TaskStatus.READY;
    return moved(task, TaskTransition.SUBMIT, status, _ -> {});
  }

  /// A person allows a task.
  ///
  /// @param by who
  /// @throws IllegalTransition if it does not wait for approval
  public BoardTask approve(String id, String by) {
    BoardTextLimits.name("by", by);
    return change(
        id, TaskTransition.APPROVE, TaskStatus.READY, to -> to.approvedBy = Optional.of(by));
  }

  /// Decides that a task will not be done. A worker that holds it learns of this at its next
  /// heartbeat.
  ///
  /// @throws IllegalTransition if it is final
  public BoardTask reject(String id, String reason) {
    BoardTextLimits.reason(reason);
    return change(id, TaskTransition.REJECT, TaskStatus.REJECTED, to -> to.reason = reason);
  }

  /// Claims the first task that is ready, after a [#reclaim].
  ///
  /// @return empty if nothing is ready, or one task is in progress and the board allows no more
  /// @throws TaskInProgress if the worker has one already
  public Optional<Claim> claim(String worker) {
    BoardTextLimits.name("worker", worker);
    return shelf.change(read -> {
      var board = reclaimed(read);
      var own = inProgress(board, worker);
      if (own.isPresent()) throw new TaskInProgress(name(), worker, own.get());
      boolean isFull = policy.oneInAll() && first(board, TaskStatus.IN_PROGRESS).isPresent();
      var ready = isFull ? Optional.<BoardTask>empty() : first(board, TaskStatus.READY);
      if (ready.isEmpty()) return new Changed<>(board, Optional.empty());
      var task = claimed(ready.get(), worker);
      return new Changed<>(board.with(task), Optional.of(new Claim(task)));
    });
  }

  /// Claims the task with this id, after a [#reclaim].
  ///
  /// @throws TaskInProgress if the worker has one already, or the board allows no more
  /// @throws IllegalTransition if it is not ready; perhaps somebody else was faster
  public Claim claim(String worker, String id) {
    BoardTextLimits.name("worker", worker);
    return shelf.change(read -> {
      var board = reclaimed(read);
      var task = board.find(id).orElseThrow(() -> new UnknownTask(name(), id));
      check(task, TaskTransition.CLAIM, TaskStatus.IN_PROGRESS);
      var busy =
          policy.oneInAll() ? first(board, TaskStatus.IN_PROGRESS) : inProgress(board, worker);
      if (busy.isPresent()) throw new TaskInProgress(name(), worker, busy.get());
      var claimed = claimed(task, worker);
      return new Changed<>(board.with(claimed), new Claim(claimed));
    });
  }

  private BoardTask claimed(BoardTask task, String worker) {
    var now = now();
    return moved(
        task,
        TaskTransition.CLAIM,
        TaskStatus.IN_PROGRESS,
        to -> {
          to.worker = Optional.of(worker);
          to.claims++;
          to.heartbeat = Optional.of(now);
          to.reason = "";
        });
  }

  /// Reports that the worker is still working.
  ///
  /// @throws ClaimLost if it does not have the task any more
  public void heartbeat(Claim claim) {
    updateClaimed(claim, task -> beating(task, _ -> {}));
  }

  /// Reports the progress of the work. This is a heartbeat, too.
  ///
  /// @throws ClaimLost if the worker does not have the task any more
  public BoardTask note(Claim claim, String text) {
    BoardTextLimits.atMost("note", text, BoardTextLimits.TEXT_MAX);
    return updateClaimed(claim, task -> beating(task, to -> to.note = text));
  }

  private BoardTask beating(BoardTask task, Consumer<Changing> more) {
    var now = now();
    return changed(
        task,
        now,
        to -> {
          // Another process's clock may be ahead of this one's.
          to.heartbeat = task.heartbeat().filter(now::isBefore).or(() -> Optional.of(now));
          more.accept(to);
        });
  }

  /// Completes the task.
  ///
  /// @param result the outcome, or where to find it
  /// @throws ClaimLost if the worker does not hold the task any more
  public BoardTask finish(Claim claim, String result) {
    BoardTextLimits.atMost("result", result, BoardTextLimits.TEXT_MAX);
    return updateClaimed(claim, TaskTransition.FINISH, TaskStatus.DONE, to -> to.result = result);
  }

  /// Blocks the task, because the worker cannot continue.
  ///
  /// @throws ClaimLost if the worker does not hold the task any more
  public BoardTask block(Claim claim, String reason) {
    BoardTextLimits.reason(reason);
    return updateClaimed(claim, TaskTransition.BLOCK, TaskStatus.BLOCKED, to -> to.reason = reason);
  }

  /// Blocks a task on behalf of somebody other than its worker. A worker that holds it loses it.
  ///
  /// @throws IllegalTransition if it is neither ready nor in progress
  public BoardTask block(String id, String reason) {
    BoardTextLimits.reason(reason);
    return change(id, TaskTransition.BLOCK, TaskStatus.BLOCKED, to -> to.reason = reason);
  }

  /// Makes a blocked task ready again.
  ///
  /// @throws IllegalTransition if it is not blocked
  public BoardTask unblock(String id) {
    return change(
        id,
        TaskTransition.UNBLOCK,
        TaskStatus.READY,
        to -> {
          to.reason = "";
          to.lost = 0;
        });
  }

  /// Gives the task back, so that others can claim it.
  ///
  /// @throws ClaimLost if the worker does not hold the task any more
  public BoardTask release(Claim claim) {
    return updateClaimed(claim, TaskTransition.RELEASE, TaskStatus.READY, _ -> {});
  }

  /// Takes tasks from workers whose last heartbeat is older than the policy allows.
  ///
  /// @return those tasks, as they are now
  public List<BoardTask> reclaim() {
    return shelf.change(board -> {
      var after = reclaimed(board);
      var taken = new ArrayList<>(after.tasks());
      taken.removeAll(board.tasks());
      return new Changed<>(after, List.copyOf(taken));
    });
  }

  private SavedBoard reclaimed(SavedBoard board) {
    var now = now();
    var after = board;
    for (var task : board.tasks()) {
      if (isLost(task, now)) after = after.with(reclaim(task));
    }
    return after;
  }

  private boolean isLost(BoardTask task, Instant now) {
    return task.heartbeat()
        .filter(last -> Duration.between(last, now).compareTo(policy.heartbeatLimit()) > 0)
        .isPresent();
  }

  private BoardTask reclaim(BoardTask task) {
    var worker = task.worker().orElseThrow();
    boolean isTooOften = task.lost() + 1 >= policy.lostMax();
    var status = isTooOften ? TaskStatus.BLOCKED : TaskStatus.READY;
    return moved(
        task,
        TaskTransition.RECLAIM,
        status,
        to -> {
          to.lost++;
          to.reason = "worker `" + worker + "` was lost";
          if (isTooOften) to.reason += ", the last of " + to.lost;
        });
  }

  /// Removes the tasks that are done or rejected.
  ///
  /// @return the number of removed tasks
  public int sweep() {
    return shelf.change(board -> {
      var left = board.withoutFinal();
      int gone = board.tasks().size() - left.tasks().size();
      return new Changed<>(gone == 0 ? board : left, gone);
    });
  }

  private static Optional<BoardTask> inProgress(SavedBoard board, String worker) {
    return board.tasks().stream()
        .filter(task -> task.status() == TaskStatus.IN_PROGRESS)
        .filter(task -> task.worker().equals(Optional.of(worker)))
        .findFirst();
  }

  private static Optional<BoardTask> first(SavedBoard board, TaskStatus status) {
    return board.tasks().stream().filter(task -> task.status() == status).findFirst();
  }

  /// A change of one task.
  private interface Step {
    BoardTask of(BoardTask task);
  }

  private BoardTask change(String id, Step step) {
    return shelf.change(board -> {
      var task = board.find(id).orElseThrow(() -> new UnknownTask(name(), id));
      var after = step.of(task);
      return new Changed<>(board.with(after), after);
    });
  }

  private BoardTask change(String id, TaskTransition move, TaskStatus to, Consumer<Changing> more) {
    return change(id, task -> moved(task, move, to, more));
  }

  private BoardTask updateClaimed(
      Claim claim, TaskTransition move, TaskStatus to, Consumer<Changing> more) {
    return updateClaimed(claim, task -> moved(task, move, to, more));
  }

  private BoardTask updateClaimed(Claim claim, Step step) {
    return change(
        claim.id(),
        task -> {
          if (!claim.holds(task)) throw new ClaimLost(name(), claim, task);
          return step.of(task);
        });
  }

  private BoardTask moved(
      BoardTask task, TaskTransition move, TaskStatus to, Consumer<Changing> more) {
    check(task, move, to);
    return changed(
        task,
        now(),
        changing -> {
          changing.status = to;
          more.accept(changing);
        });
  }

  private void check(BoardTask task, TaskTransition move, TaskStatus to) {
    if (!move.from().contains(task.status())) {
      throw new IllegalTransition(name(), task, move, to);
    }
  }

  private static BoardTask changed(BoardTask task, Instant now, Consumer<Changing> how) {
    var changing = task.changing();
    how.accept(changing);
    return changing.at(now);
  }

  /// As a database keeps it.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public String toString() {
    return "Board[" + name() + "]";
  }
}
