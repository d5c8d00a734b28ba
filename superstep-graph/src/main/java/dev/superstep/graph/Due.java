package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import org.jspecify.annotations.Nullable;

/// A node that runs in the next superstep, and why.
///
/// @param argument what it was sent, if it was
record Due(NodeSpec node, Activation activation, @Nullable Object argument) {}
