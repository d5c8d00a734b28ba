package dev.superstep.repl;

import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.value.Meter;
import java.util.Map;

/// The way of a call from a cell to its host.
interface HostCalls {
  /// On the thread of the cell.
  HostCalls DIRECT = (_, function, arguments) -> function.call(arguments);

  HostValue call(Meter m, HostFunction function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException;
}
