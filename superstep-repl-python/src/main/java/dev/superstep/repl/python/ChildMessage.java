package dev.superstep.repl.python;

import dev.superstep.repl.CellResult;
import dev.superstep.repl.host.HostValue;
import java.util.List;
import java.util.Map;

/// A frame from the interpreter.
sealed interface ChildMessage {
  /// It has started.
  record Ready(int protocol) implements ChildMessage {}

  /// A cell prints.
  record Stream(int cell, String text) implements ChildMessage {}

  /// A cell calls the host and waits.
  record Call(
      int cell, int number, String name, List<HostValue> positional, Map<String, HostValue> named)
      implements ChildMessage {}

  /// A cell has changed a variable.
  record VarSet(int cell, CellResult.Variable variable) implements ChildMessage {}

  /// A cell has ended.
  record Result(int cell, Fields parts) implements ChildMessage {}

  /// Reads a frame.
  ///
  /// @throws ProtocolBroken if it is none
  static ChildMessage of(byte[] frame) {
    var fields = new Fields(FrameReader.fields(frame));
    return switch (fields.text("op")) {
      case "ready" -> new Ready(fields.number("protocol"));
      case "stream" -> new Stream(fields.number("id"), fields.text("text"));
      case "call" ->
          new Call(
              fields.number("id"),
              fields.number("call"),
              fields.text("name"),
              fields.items("args"),
              fields.inner("named").all());
      case "var_set" -> new VarSet(fields.number("id"), variable(fields.items("variable")));
      case "result" -> new Result(fields.number("id"), fields);
      default -> throw new ProtocolBroken("it sent a frame of an unknown kind");
    };
  }

  private static CellResult.Variable variable(List<HostValue> parts) {
    if (parts.size() != 4) throw new ProtocolBroken("a variable has four parts");
    return new CellResult.Variable(
        Fields.text(parts.get(0)),
        Fields.text(parts.get(1)),
        Fields.number(parts.get(2), Long.MAX_VALUE),
        Fields.text(parts.get(3)));
  }
}
