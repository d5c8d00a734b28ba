package dev.superstep.graph;

/// What a graph inside a node made of the node's task, past what a node can return.
record SubgraphResult(TaskResult end) implements NodeResult {}
