package dev.superstep.repl.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.sandbox.Sandbox;
import org.junit.jupiter.api.Test;

class PythonSessionTest {
  @Test
  void try_it() {
    try (CellSession s =
        PythonBackend.sandboxed(Sandbox.open()).open(ReplPolicy.standard(), Capabilities.none())) {
      System.out.println(s.executeHere("x = 1\nprint(x)\nx + 2"));
      System.out.println(s.executeHere("x += 1\n1/0"));
      System.out.println(s.executeHere("import os\nos._exit(3)"));
      System.out.println(s.executeHere("x"));
      System.out.println(s.executeHere("while True: pass".replace("pass", "print(1)")));
      System.out.println(s.executeHere("answer([x, {'a': 2**70}])"));
      assertThat(s.variables()).hasSize(1);
    }
  }
}
