package dev.superstep.event;

/// The subject of an event.
public enum Kind {
  /// The progress of a run: `run.*`, `step.*`, `subgraph.*`, the `node.*` that mark a beginning or
  /// an end, and `events.dropped`.
  LIFECYCLE,
  /// The state: `state.values`.
  VALUES,
  /// The writes of tasks: `node.updated`.
  UPDATES,
  /// The inputs and ends of tasks: `task.*`.
  TASKS,
  /// `checkpoint.saved`.
  CHECKPOINTS,
  /// The reasons why edges were followed or not: `routes.selected`.
  ROUTES,
  /// Items that run beside others inside a node: `context.*`.
  FORKS,
  /// Questions and answers: `interrupt.*`.
  INTERRUPTS,
  /// The output of models, while they produce it: `text.arrived`.
  MESSAGES,
  /// The pieces of future writes, while nodes produce them: `piece.arrived`.
  PIECES,
  /// The nodes' own events: `node.emitted`.
  CUSTOM
}
