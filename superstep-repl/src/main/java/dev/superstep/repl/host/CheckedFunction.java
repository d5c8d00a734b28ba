package dev.superstep.repl.host;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A host function whose calls are looked at before a cell runs.
record CheckedFunction(HostFunction function, Function<ShownCall, List<ShownCall.Refusal>> check)
    implements HostFunction {
  @Override
  public Signature signature() {
    return function.signature();
  }

  @Override
  public HostValue call(Map<String, HostValue> arguments) throws HostFailure, InterruptedException {
    return function.call(arguments);
  }

  @Override
  public List<ShownCall.Refusal> refusals(ShownCall call) {
    return check.apply(call);
  }
}
