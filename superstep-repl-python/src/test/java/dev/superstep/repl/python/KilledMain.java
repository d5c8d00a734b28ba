package dev.superstep.repl.python;

import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.sandbox.Sandbox;

/// A program that is killed while a cell runs that has children.
final class KilledMain {
  private static final String CELL =
      """
      import os
      for i in range(2):
          if os.fork() == 0:
              os.setsid()
              while True: pass
      begun()
      while True: pass
      """;

  private KilledMain() {}

  public static void main(String[] args) {
    var begun =
        HostFunction.of(
            "begun()",
            _ -> {
              System.out.println("begun");
              System.out.flush();
              return HostValue.NOTHING;
            });
    var python = PythonBackend.sandboxed(Sandbox.open());
    var session = python.open(ReplPolicy.standard(), Capabilities.none().with(begun));
    System.out.println(session.executeHere(CELL));
  }
}
