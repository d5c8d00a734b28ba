package dev.superstep.terminal.undo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Measures what watching costs: `main WORKSPACE COMMAND` runs the command 100 times, with and
/// without.
final class UndoCost {
  private static final int COMMANDS = 100;

  private UndoCost() {}

  public static void main(String[] args) throws Exception {
    var work = Path.of(args[0]);
    var store = Files.createTempDirectory("undo-cost");
    long begun = System.nanoTime();
    var tracker =
        ChangeTracker.open(
            UndoPlace.of(work, store), UndoLimits.standard(), InstantSource.system());
    long opened = System.nanoTime() - begun;
    long running = 0;
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long used = 0;
    begun = System.nanoTime();
    for (int i = 0; i < COMMANDS; i++) {
      long cpu = threads.getCurrentThreadCpuTime();
      tracker.begin("x", List.of());
      used += threads.getCurrentThreadCpuTime() - cpu;
      long at = System.nanoTime();
      ShellSession.run(work, args[1]);
      running += System.nanoTime() - at;
      cpu = threads.getCurrentThreadCpuTime();
      tracker.finish();
      used += threads.getCurrentThreadCpuTime() - cpu;
    }
    long all = System.nanoTime() - begun;
    System.out.printf(
        "files %d, kept %d MB, first scan %d ms, a command %.1f ms, watching %.1f ms each (%.1f ms"
            + " of CPU)%n",
        tracker.coverage().files(),
        tracker.coverage().keptBytes() >> 20,
        opened / 1_000_000,
        running / 1e6 / COMMANDS,
        (all - running) / 1e6 / COMMANDS,
        used / 1e6 / COMMANDS);
    tracker.close();
  }
}
