package dev.superstep.event;

/// What an event is about.
public enum Kind {
  /// How far the run is: `run.*`, `step.*`, `node.*` where it tells of a beginning or an end, and
  /// `events.dropped`.
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
  /// Questions and answers: `interrupt.*`.
  INTERRUPTS,
  /// What models say, while they say it: `text.arrived`.
  MESSAGES,
  /// What nodes tell of their own: `node.emitted`.
  CUSTOM
}
