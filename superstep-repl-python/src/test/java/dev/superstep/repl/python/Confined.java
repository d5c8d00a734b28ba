package dev.superstep.repl.python;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.repl.CellResult;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.Tier;
import java.util.List;

/// Sessions in Python for tests, where this machine can confine them.
final class Confined {
  private Confined() {}

  /// The backend; tests that ask for it are skipped where it is refused, and say why.
  static PythonBackend python() {
    var report = Sandbox.open().machine().of(Tier.BUBBLEWRAP);
    if (!report.isAvailable()) System.out.println("skipped: " + report.missing());
    assumeTrue(report.isAvailable(), report.missing().toString());
    return PythonBackend.sandboxed(Sandbox.open());
  }

  static CellSession session(Capabilities host) {
    return python().open(ReplPolicy.standard(), host);
  }

  /// The output of a cell, or the code and the message of its error.
  static String said(CellResult result) {
    var error = result.error();
    return error == null ? result.output().shown() : error.code() + " " + error.message();
  }

  /// The processes of interpreters that this program has started and that run.
  static List<ProcessHandle> interpreters() {
    return ProcessHandle.current()
        .descendants()
        .filter(one -> one.info().command().orElse("").contains("python"))
        .toList();
  }
}
