package dev.superstep.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Decides at each branch of a schedule which thread goes on. One thread at a time.
interface Choices {
  /// Picks one of several threads that can go on.
  ///
  /// @param options how many there are, at least 2
  /// @param isPreemption whether any but the first takes the turn from a thread that can go on
  int pick(int options, boolean isPreemption);

  /// Goes through all schedules with at most so many preemptions, depth first.
  final class Exhaustive implements Choices {
    private final int preemptionsMax;
    private final List<Branch> path = new ArrayList<>();
    private int depth;
    private int preemptions;

    private record Branch(int taken, int options) {}

    Exhaustive(int preemptionsMax) {
      this.preemptionsMax = preemptionsMax;
    }

    @Override
    public int pick(int options, boolean isPreemption) {
      if (isPreemption && preemptions == preemptionsMax) return 0;
      if (depth == path.size()) path.add(new Branch(0, options));
      var branch = path.get(depth++);
      if (branch.options() != options) {
        throw new IllegalStateException(
            "the scenario is not deterministic: %d threads can go on where %d could before"
                .formatted(options, branch.options()));
      }
      if (isPreemption && branch.taken() > 0) preemptions++;
      return branch.taken();
    }

    /// Moves on to the next schedule.
    ///
    /// @return false if there is none
    boolean advance() {
      depth = 0;
      preemptions = 0;
      while (!path.isEmpty()) {
        var last = path.removeLast();
        if (last.taken() + 1 < last.options()) {
          path.add(new Branch(last.taken() + 1, last.options()));
          return true;
        }
      }
      return false;
    }
  }

  /// Picks by chance.
  record Random(RandomGenerator random) implements Choices {
    @Override
    public int pick(int options, boolean isPreemption) {
      return random.nextInt(options);
    }
  }
}
