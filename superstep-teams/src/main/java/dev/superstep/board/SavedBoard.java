package dev.superstep.board;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The stored form of a board: one item of a store, so that rules across tasks hold at every moment
/// (docs/decisions/0048). Immutable.
///
/// @param format the version of this form
/// @param next the number of the next task
/// @param tasks in the order in which they were added
record SavedBoard(int format, long next, List<BoardTask> tasks) {
  static final SavedBoard EMPTY = new SavedBoard(1, 1, List.of());

  SavedBoard {
    tasks = List.copyOf(tasks);
  }

  Optional<BoardTask> find(String id) {
    return tasks.stream().filter(task -> task.id().equals(id)).findFirst();
  }

  SavedBoard plus(BoardTask task) {
    var all = new ArrayList<>(tasks);
    all.add(task);
    return new SavedBoard(format, next + 1, all);
  }

  /// Returns a copy in which this task replaces the one with its id.
  SavedBoard with(BoardTask changed) {
    var all = new ArrayList<>(tasks);
    all.replaceAll(task -> task.id().equals(changed.id()) ? changed : task);
    return new SavedBoard(format, next, all);
  }

  SavedBoard withoutFinal() {
    return new SavedBoard(
        format, next, tasks.stream().filter(task -> !task.status().isFinal()).toList());
  }
}
