package dev.superstep.repl.record;

import dev.superstep.json.SuperstepException;

/// A cell that runs again asks for something else than it did when it was recorded: the text that
/// it reads, the interpreter or the record is another one.
public final class ReplayDivergence extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final int cell;
  private final int call;

  /// @param cell the number of the cell, from 1
  /// @param call the number of the call in it, from 1; 0 for the cell as a whole
  public ReplayDivergence(int cell, int call, String difference) {
    super(
        "repl.replay-divergence",
        "Cell %d%s differs from its record: %s"
            .formatted(cell, call == 0 ? "" : ", call " + call + ",", difference));
    this.cell = cell;
    this.call = call;
  }

  /// The number of the cell, from 1.
  public int cell() {
    return cell;
  }

  /// The number of the call in it, from 1; 0 for the cell as a whole.
  public int call() {
    return call;
  }
}
