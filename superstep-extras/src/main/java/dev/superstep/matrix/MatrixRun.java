package dev.superstep.matrix;

import dev.superstep.checkpoint.Signal;
import dev.superstep.run.MatrixHook;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// A run that learns from a matrix and teaches it. Safe for many threads.
final class MatrixRun implements MatrixHook {
  private final Matrix matrix;
  private final SplittableRandom tries;
  private final Convergence convergence = new Convergence();

  MatrixRun(Matrix matrix, SplittableRandom tries) {
    this.matrix = matrix;
    this.tries = tries;
  }

  @Override
  public void onConverge(String node, Signal signal) {
    convergence.add(signal);
  }

  @Override
  public void recordTransition(String from, String to, double quality) {
    matrix.learn(from, to, quality);
  }

  @Override
  public Optional<List<String>> route(Junction junction) {
    synchronized (tries) {
      return matrix.choose(junction, tries).map(List::of);
    }
  }

  @Override
  public double cValue() {
    return convergence.cValue();
  }

  @Override
  public double completion() {
    return convergence.completion();
  }

  @Override
  public boolean isConverged() {
    return convergence.isConverged();
  }
}
