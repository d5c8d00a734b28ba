package dev.superstep.board;

import dev.superstep.json.SuperstepException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The requested status transition is not allowed from the task's current status. The board is
/// unchanged.
public final class IllegalTransition extends SuperstepException {
  private final TaskStatus from;
  private final TaskStatus to;

  IllegalTransition(String board, BoardTask task, TaskTransition move, TaskStatus to) {
    super("board.illegal-transition", message(board, task, move, to));
    this.from = task.status();
    this.to = to;
  }

  private static String message(String board, BoardTask task, TaskTransition move, TaskStatus to) {
    var legal =
        task.status().isFinal()
            ? "that is final. Add a new task instead."
            : "it can become %s. Read it again; somebody may have changed it."
                .formatted(legal(task.status()));
    return "Task `%s` of board `%s` is %s and cannot become %s by `%s`: %s"
        .formatted(task.id(), board, task.status(), to, name(move), legal);
  }

  private static String legal(TaskStatus from) {
    return from.moves().stream()
        .map(move -> names(move.to()) + " by `" + name(move) + "`")
        .collect(Collectors.joining(", "));
  }

  private static String names(Set<TaskStatus> statuses) {
    return statuses.stream().map(Enum::name).collect(Collectors.joining(" or "));
  }

  private static String name(TaskTransition move) {
    return move.name().toLowerCase(Locale.ROOT);
  }

  /// The current status.
  public TaskStatus from() {
    return from;
  }

  /// The status that was requested.
  public TaskStatus to() {
    return to;
  }

  /// The statuses that the current one allows.
  public Set<TaskStatus> legal() {
    return from.next();
  }
}
