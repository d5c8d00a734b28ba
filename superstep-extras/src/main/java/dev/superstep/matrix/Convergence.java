package dev.superstep.matrix;

import dev.superstep.checkpoint.Signal;

/// The progress of a run towards its end, measured by its signals. Safe for many threads.
final class Convergence {
  private static final double ALPHA = 0.3;
  private static final double COMPLETE = 0.95;
  private static final double LITTLE = 0.02;
  private static final int SIGNALS_MIN = 5;
  private static final int LITTLE_RUN = 3;

  private double open = 1;
  private double cValue;
  private int signals;
  private int littles;

  synchronized void add(Signal signal) {
    open *= 1 - signal.contribution() * signal.quality();
    double went = signal.quality() * (1 - signal.surprise());
    cValue += ALPHA * (went - cValue);
    signals = Math.min(signals + 1, SIGNALS_MIN);
    littles = signal.contribution() < LITTLE ? Math.min(littles + 1, LITTLE_RUN) : 0;
  }

  /// `1 - prod(1 - contribution * quality)`: 0 at first, never falls, never passes 1.
  synchronized double completion() {
    return 1 - open;
  }

  /// The exponential mean, with weight 0.3, of `quality * (1 - surprise)`; 0 at first.
  synchronized double cValue() {
    return cValue;
  }

  /// Returns true if the completion is at least 0.95, or if, after at least five signals, the last
  /// three contributed less than 0.02 each.
  synchronized boolean isConverged() {
    return completion() >= COMPLETE || (signals >= SIGNALS_MIN && littles >= LITTLE_RUN);
  }
}
