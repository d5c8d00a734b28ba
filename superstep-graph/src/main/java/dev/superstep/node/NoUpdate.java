package dev.superstep.node;

/// A node's result without writes: its edges are followed. Made by [NodeResult#nothing].
public record NoUpdate() implements NodeResult {
  static final NoUpdate NOTHING = new NoUpdate();
}
