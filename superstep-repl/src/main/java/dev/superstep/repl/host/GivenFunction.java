package dev.superstep.repl.host;

import java.util.Map;

/// A host function made of a signature and its work.
record GivenFunction(Signature signature, Body body) implements HostFunction {
  @Override
  public HostValue call(Map<String, HostValue> arguments) throws HostFailure, InterruptedException {
    return body.call(arguments);
  }
}
