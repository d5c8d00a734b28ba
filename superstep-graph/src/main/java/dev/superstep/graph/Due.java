package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import org.jspecify.annotations.Nullable;

/// A node that runs in the next superstep, and why.
///
/// @param argument what it was sent, if it was
/// @param task the id of its task, if it was due before in a checkpoint that was replaced
record Due(NodeSpec node, Activation activation, @Nullable Object argument, @Nullable String task) {
  Due(NodeSpec node, Activation activation, @Nullable Object argument) {
    this(node, activation, argument, null);
  }

  /// The same, whose task stays what it is whatever checkpoint it runs from.
  Due keeping(String id) {
    return new Due(node, activation, argument, id);
  }

  /// Whether several of its node may be due at once.
  boolean isOneOfSeveral() {
    return node.takesArgument() || activation instanceof Activation.Resumed;
  }
}
