package dev.superstep.repl.host;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A function that the host grants to a session.
public interface HostFunction {
  /// Its name and parameters. Calls that do not fit are found before a cell runs, where the source
  /// shows it, and otherwise raise `TypeError` in the script.
  Signature signature();

  /// Answers a call; runs on the thread of the cell and may block. An interrupt of that thread
  /// means that the cell is cancelled or has no time left.
  ///
  /// @param arguments by the names of the parameters, without those that the script left out; a
  ///   parameter with `*` holds [HostValue.Items], the one with `**` [HostValue.Entries]
  HostValue call(Map<String, HostValue> arguments) throws HostFailure, InterruptedException;

  /// The reasons why a call cannot succeed, as far as its source shows them. They are findings, so
  /// that nothing of its cell runs.
  default List<ShownCall.Refusal> refusals(ShownCall call) {
    return List.of();
  }

  /// This function with calls that are looked at before their cell runs.
  default HostFunction checking(Function<ShownCall, List<ShownCall.Refusal>> check) {
    return new CheckedFunction(this, check);
  }

  /// A function of a signature as text, such as `tool(name, **args)`.
  static HostFunction of(String signature, Body body) {
    return new GivenFunction(Signature.parse(signature), body);
  }

  /// The work of a function.
  @FunctionalInterface
  interface Body {
    HostValue call(Map<String, HostValue> arguments) throws HostFailure, InterruptedException;
  }
}
