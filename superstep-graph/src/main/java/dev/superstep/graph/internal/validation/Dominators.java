package dev.superstep.graph.internal.validation;

import java.util.Arrays;

/// For each place of a graph, the last one that every path from place 0 to it goes through. By the
/// algorithm of Cooper, Harvey and Kennedy, with a stack of its own.
final class Dominators {
  private static final int NONE = -1;

  private final int[][] nexts;
  private final int[] order;
  private final int[] places;
  private int reached;

  /// @param nexts for each place, what follows it
  private Dominators(int[][] nexts) {
    this.nexts = nexts;
    this.order = new int[nexts.length];
    this.places = new int[nexts.length];
    Arrays.fill(places, NONE);
  }

  /// The dominators; -1 for place 0 and for what no path leads to.
  static int[] of(int[][] nexts) {
    var dominators = new Dominators(nexts);
    dominators.sort();
    return dominators.find();
  }

  /// Numbers the places in postorder: a place that was left earlier has the smaller number.
  private void sort() {
    var stack = new int[nexts.length];
    var done = new int[nexts.length];
    var entered = new boolean[nexts.length];
    int depth = 0;
    entered[0] = true;
    while (depth >= 0) {
      int at = stack[depth];
      if (done[at] == nexts[at].length) {
        places[at] = reached;
        order[reached++] = at;
        depth--;
        continue;
      }
      int next = nexts[at][done[at]++];
      if (entered[next]) continue;
      entered[next] = true;
      stack[++depth] = next;
    }
  }

  private int[] find() {
    var dominators = new int[nexts.length];
    Arrays.fill(dominators, NONE);
    dominators[0] = 0;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = reached - 1; i >= 0; i--) changed |= push(order[i], dominators);
    }
    dominators[0] = NONE;
    return dominators;
  }

  /// Tells what follows a place that a path goes through it.
  private boolean push(int at, int[] dominators) {
    boolean changed = false;
    for (int next : nexts[at]) {
      if (next == 0) continue;
      int before = dominators[next];
      int now = before == NONE ? at : common(before, at, dominators);
      dominators[next] = now;
      changed |= now != before;
    }
    return changed;
  }

  private int common(int a, int b, int[] dominators) {
    int left = a;
    int right = b;
    while (left != right) {
      while (places[left] < places[right]) left = dominators[left];
      while (places[right] < places[left]) right = dominators[right];
    }
    return left;
  }
}
