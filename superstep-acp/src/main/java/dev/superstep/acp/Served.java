package dev.superstep.acp;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.RunOptions;
import java.util.Map;
import java.util.function.UnaryOperator;

/// All that an agent is served with. Immutable.
///
/// @param options what the program adds to the options of runs
/// @param images whether it takes pictures
/// @param kinds of tools by name
/// @param title for people
record Served(
    Source source,
    Checkpointer store,
    UnaryOperator<RunOptions> options,
    AcpLimits limits,
    boolean images,
    Map<String, ToolKind> kinds,
    String title,
    String version) {
  String name() {
    return source.graph().name();
  }
}
