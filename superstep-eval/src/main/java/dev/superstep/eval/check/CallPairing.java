package dev.superstep.eval.check;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/// Pairs calls with expected ones, each used once, so that there are as many pairs as possible: a
/// greedy choice could give a call to an expectation that any other would have fit. For one thread.
final class CallPairing<C, E> {
  private static final int FREE = -1;

  private final List<C> calls;
  private final List<E> expected;
  private final BiPredicate<C, E> fits;
  private final int[] taken;

  CallPairing(List<C> calls, List<E> expected, BiPredicate<C, E> fits) {
    this.calls = calls;
    this.expected = expected;
    this.fits = fits;
    this.taken = new int[calls.size()];
    Arrays.fill(taken, FREE);
  }

  /// The number of pairs.
  int pairs() {
    int pairs = 0;
    for (int i = 0; i < expected.size(); i++) {
      if (isPaired(i, new boolean[calls.size()])) pairs++;
    }
    return pairs;
  }

  /// Finds a call for an expectation, moving others to other calls if need be.
  private boolean isPaired(int at, boolean[] seen) {
    for (int i = 0; i < calls.size(); i++) {
      if (seen[i] || !fits.test(calls.get(i), expected.get(at))) continue;
      seen[i] = true;
      if (taken[i] == FREE || isPaired(taken[i], seen)) {
        taken[i] = at;
        return true;
      }
    }
    return false;
  }
}
