package dev.superstep.repl.internal.call;

import dev.superstep.json.Json;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import java.util.List;
import java.util.Map;

/// The functions that tell those who watch the run something, once however often the cell runs.
final class EventFunctions {
  /// An event of a cell.
  record Emitted(String name, Json data) {}

  static final String EVENT = "repl.emitted";

  private final CallSession session;

  EventFunctions(CallSession session) {
    this.session = session;
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of("emit(name, data=)", a -> emit("emit", new CallArguments("emit", a))),
        HostFunction.of("note(text)", a -> note(new CallArguments("note", a))));
  }

  private HostValue note(CallArguments given) throws HostFailure, InterruptedException {
    var told = Map.of("name", HostValue.of("note"), "data", given.need("text"));
    return emit("note", new CallArguments("note", told));
  }

  private HostValue emit(String function, CallArguments given)
      throws HostFailure, InterruptedException {
    var name = given.text("name");
    var data = given.has("data") ? given.need("data") : HostValue.NOTHING;
    var call = new CellCalls.Call(CallKind.EMIT, function + " " + name, data);
    return session
        .calls()
        .make(
            call,
            (context, _) -> {
              if (context.node().hasListeners()) {
                context.node().emit(EVENT, new Emitted(name, HostJson.of(data)));
              }
              return HostValue.NOTHING;
            });
  }
}
