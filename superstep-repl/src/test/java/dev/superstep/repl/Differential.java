package dev.superstep.repl;

import dev.superstep.repl.host.Capabilities;

/// Runs a program here, and compares what it prints.
final class Differential {
  private static final ReplPolicy POLICY =
      ReplPolicy.standard().withOperations(50_000_000).withOutput(1 << 20, 1 << 20);

  private Differential() {}

  static String run(String program) {
    var result = ReplSession.open(POLICY, Capabilities.none()).execute(program);
    var error = result.error();
    if (error == null) return result.output().shown();
    var end = error.type().isEmpty() ? error.code() + " " + error.message() : error.type();
    return result.output().shown() + "!! " + end;
  }

  /// Returns whether two outputs are the same, or both refuse the program before it runs.
  static boolean agree(String here, String cpython) {
    if (cpython.equals("!! SyntaxError")) return here.startsWith("!! E-ragsh-syntax ");
    return here.equals(cpython);
  }

  static String difference(String program, String expected, String here) {
    var wanted = expected.split("\n", -1);
    var got = here.split("\n", -1);
    int at = 0;
    while (at < wanted.length && at < got.length && wanted[at].equals(got[at])) at++;
    return program
        + "--- line "
        + (at + 1)
        + " in CPython: "
        + (at < wanted.length ? wanted[at] : "(end)")
        + "\n--- line "
        + (at + 1)
        + " here: "
        + (at < got.length ? got[at] : "(end)");
  }
}
