package dev.superstep.repl;

import dev.superstep.repl.internal.value.Halt;
import dev.superstep.repl.internal.value.Meter;

/// Collects what a cell prints, up to its limit. Owned by the thread of the cell.
final class Output {
  private final int shownMost;
  private final int most;
  private StringBuilder text = new StringBuilder();

  Output(ReplPolicy policy) {
    this.shownMost = policy.outputShown();
    this.most = policy.outputMost();
  }

  void print(Meter m, String part) {
    m.work(part.length());
    int room = most - text.length();
    if (part.length() <= room) {
      text.append(part);
      return;
    }
    int end = room > 0 && Character.isHighSurrogate(part.charAt(room - 1)) ? room - 1 : room;
    text.append(part, 0, end);
    throw m.halt(Halt.Cause.OUTPUT, "the cell printed more than " + most + " characters");
  }

  /// The output since it was last asked for: the head and the tail if it is long.
  CellResult.Output take() {
    var all = text.toString();
    text = new StringBuilder();
    return CellResult.Output.of(all, shownMost);
  }
}
