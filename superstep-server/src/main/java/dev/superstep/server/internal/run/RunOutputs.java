package dev.superstep.server.internal.run;

import dev.superstep.run.ThreadState;
import dev.superstep.server.internal.wire.GraphWire;
import tools.jackson.databind.node.ObjectNode;

/// The outputs of runs, for clients that wait for their end.
public final class RunOutputs {
  private RunOutputs() {}

  /// The values of a thread that its graph gives back, with its open questions as `__interrupt__`.
  public static ObjectNode of(GraphWire wire, ThreadState state) {
    var values = wire.outputs(wire.values(state.state()));
    if (!state.questions().isEmpty()) {
      var open = values.putArray("__interrupt__");
      for (var question : state.questions()) open.add(wire.interrupt(question));
    }
    return values;
  }
}
