package dev.superstep.service;

/// The kinds of documents of a service. Ids are unique within a kind.
public enum DocumentKind {
  /// A graph with a configuration under a name. Its parent is the graph.
  ASSISTANT,
  /// An earlier version of an assistant, its parent.
  ASSISTANT_VERSION,
  /// A thread as clients know it.
  THREAD,
  /// A run. Its parent is the thread.
  RUN,
  /// A schedule that starts runs. Its parent is the thread, if it has one.
  CRON,
  /// A call of a webhook. Its parent is the run.
  DELIVERY,
  /// A webhook for runs to come, as a protocol beside the server's has it. Its parent is the
  /// thread, its label the runs.
  SUBSCRIPTION,
  /// A call of a tool by a client of the Model Context Protocol. Its label is the server.
  TOOL_CALL
}
