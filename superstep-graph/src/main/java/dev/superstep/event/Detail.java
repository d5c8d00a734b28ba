package dev.superstep.event;

/// Events that a listener gets only if it requests them, since they cost time and memory. Events
/// that nobody requested are never built.
public enum Detail {
  /// `state.values`: the whole state, after input, at a resumption and after each superstep.
  VALUES,
  /// `node.updated`: what each task wrote.
  UPDATES,
  /// `task.started` and `task.ended`: what each task was given and how it ended.
  TASKS,
  /// `checkpoint.saved`.
  CHECKPOINTS,
  /// `routes.selected`: why each edge was followed or not.
  ROUTES,
  /// `context.forked` and `context.joined`: when each item of a
  /// [parallel][dev.superstep.graph.Parallel] begins and ends.
  FORKS
}
