package dev.superstep.program;

import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;

/// The keys under which nodes read what a client of a server sends with a run, beside its input, by
/// [dev.superstep.node.NodeContext].
public final class RunContext {
  /// The context of the run, such as a tenant or a preferred language: the assistant's, with what
  /// the run sent over it. A JSON object.
  public static final ContextKey<Json> CONTEXT = ContextKey.of("context", Json.class);

  /// The configuration of the graph: the assistant's, with the thread's and the run's over it. A
  /// JSON object.
  public static final ContextKey<Json> CONFIGURABLE = ContextKey.of("configurable", Json.class);

  private RunContext() {}
}
