package dev.superstep.topology;

/// Bounds how deep topologies nest, so that nothing that walks one can run out of stack, and
/// whatever is written can be read back: JSON from outside is read to a depth of 400.
final class Levels {
  static final int MAX = 128;

  private Levels() {}

  static void check(Topology topology) {
    if (deeper(topology, MAX)) throw new TopologyTooDeep(topology.graph());
  }

  private static boolean deeper(Topology topology, int left) {
    if (left == 0) return true;
    for (var node : topology.nodes()) {
      if (node.inside().isPresent() && deeper(node.inside().get(), left - 1)) return true;
    }
    return false;
  }
}
