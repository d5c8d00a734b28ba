package dev.superstep.repl.trajectory;

import java.io.IOException;
import java.nio.file.Path;

/// Runs a trajectory again in a process of its own, and writes it anew.
final class ReplayMain {
  private ReplayMain() {}

  /// @param args folder of the trajectory, folder to write to
  public static void main(String[] args) throws IOException {
    var silent = dev.superstep.model.ScriptedModel.saying();
    Trajectory.read(Path.of(args[0]))
        .replay(TrajectoryTest.settings(silent, silent), TrajectoryTest.TEXT)
        .write(Path.of(args[1]));
  }
}
