package dev.superstep.graph;

/// A node's result without writes: its edges are followed. Made by [NodeResult#nothing].
public record Nothing() implements NodeResult {
  static final Nothing NOTHING = new Nothing();
}
