package dev.superstep.board;

import dev.superstep.json.SuperstepException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// A task cannot become what it was to become, from what it is. The board is unchanged.
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

  /// What it is.
  public TaskStatus from() {
    return from;
  }

  /// What it was to become.
  public TaskStatus to() {
    return to;
  }

  /// What it can become.
  public Set<TaskStatus> legal() {
    return from.next();
  }
}
