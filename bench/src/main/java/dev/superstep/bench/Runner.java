package dev.superstep.bench;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.Side.Ready;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Runs each case of each system in a process of its own, the systems interleaved, so that whatever
/// else the machine does falls on all of them. One thread at a time.
final class Runner {
  private static final Duration CHILD_MAX = Duration.ofMinutes(3);

  private final List<Side> sides;
  private final PrintStream progress;
  private final Databases databases = new Databases();

  Runner(List<Side> sides, PrintStream progress) {
    this.sides = sides.stream().sorted((a, b) -> a.system().compareTo(b.system())).toList();
    this.progress = progress;
  }

  /// Keeps what was measured so far, so that an interrupted run leaves it.
  @FunctionalInterface
  interface Saver {
    void save(Results results) throws IOException;
  }

  Results run(Plan plan, Saver saver) throws IOException, InterruptedException {
    var results = new Results();
    for (int round = 0; round < plan.rounds(); round++) {
      for (var cell : plan.cells()) {
        // Nobody always comes first.
        var order = new ArrayList<>(sides);
        Collections.rotate(order, round);
        for (var side : order) {
          if (round >= plan.rounds(cell, side.system())) continue;
          if (cell.systems().contains(side.system())) run(cell, side, plan, results);
        }
        saver.save(results);
      }
    }
    return results;
  }

  private void run(Cell cell, Side side, Plan plan, Results results)
      throws IOException, InterruptedException {
    switch (side.ready()) {
      case Ready.Absent(var reason) -> results.notRun(cell, side.system(), reason);
      case Ready.Command command -> {
        if (results.isGivenUp(cell, side.system())) return;
        progress.printf("  %s %s %s", cell.workload(), cell.name(), side.system().id());
        long begin = System.nanoTime();
        try {
          var given = databases.given(cell);
          var child = new ChildProcess(command, given, CHILD_MAX);
          results.add(child.run(cell, plan.by(side.system())), Machine.load());
        } catch (ChildProcess.Failed e) {
          progress.print(": " + e.reason());
          results.notRun(cell, side.system(), e.reason());
        } finally {
          progress.printf(" (%.1f s)%n", (System.nanoTime() - begin) / 1e9);
        }
      }
    }
  }
}
