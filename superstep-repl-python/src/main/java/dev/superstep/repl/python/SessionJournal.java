package dev.superstep.repl.python;

import java.util.ArrayList;
import java.util.List;

/// The cells that a fresh interpreter has to run to have the same variables, with the answers that
/// their calls were given. Cells that were undone are not in it. One thread.
final class SessionJournal {
  private static final int OVERHEAD = 100;

  private final long most;
  private final List<Cell> cells = new ArrayList<>();
  private long size;

  /// @param most bytes of answers, about
  SessionJournal(long most) {
    this.most = most;
  }

  /// A cell that ran.
  ///
  /// @param digest of all that it said
  record Cell(int number, String source, List<String> answers, String digest) {
    Cell {
      answers = List.copyOf(answers);
    }
  }

  List<Cell> cells() {
    return cells;
  }

  void add(Cell cell) {
    cells.add(cell);
    size += cell.answers().stream().mapToLong(SessionJournal::size).sum();
  }

  /// The answers of the cell that runs.
  final class Answers {
    private final List<String> all = new ArrayList<>();
    private long own;

    /// Keeps an answer.
    ///
    /// @throws CellEnded if the session would keep too much
    void add(String answer) {
      own += size(answer);
      if (size + own > most) {
        throw new CellEnded("memory-limit", "the answers of calls take more than " + most);
      }
      all.add(answer);
    }

    List<String> all() {
      return all;
    }
  }

  private static long size(String answer) {
    return (long) answer.length() + OVERHEAD;
  }
}
