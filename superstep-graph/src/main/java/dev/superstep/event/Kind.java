package dev.superstep.event;

/// What an event is about.
public enum Kind {
  /// How far the run is: `run.*`, `step.*`, `subgraph.*`, `node.*` where it tells of a beginning or
  /// an end, and `events.dropped`.
  LIFECYCLE,
  /// The state: `state.values`.
  VALUES,
  /// What tasks wrote: `node.updated`.
  UPDATES,
  /// What tasks were given and how they ended: `task.*`.
  TASKS,
  /// `checkpoint.saved`.
  CHECKPOINTS,
  /// Why edges were taken or not: `routes.selected`.
  ROUTES,
  /// Items that run beside others inside a node: `context.*`.
  FORKS,
  /// Questions and answers: `interrupt.*`.
  INTERRUPTS,
  /// What models say, while they say it: `text.arrived`.
  MESSAGES,
  /// What nodes write, while they make it: `piece.arrived`.
  PIECES,
  /// What nodes tell of their own: `node.emitted`.
  CUSTOM
}
