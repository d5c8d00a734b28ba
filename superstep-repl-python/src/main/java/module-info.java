/// Cells in Python: CPython in a process of its own, confined by the strictest tier of the sandbox,
/// as an interpreter of sessions. Off unless it is chosen in code.
///
/// Start at [dev.superstep.repl.python.PythonBackend].
@org.jspecify.annotations.NullMarked
module dev.superstep.repl.python {
  requires transitive dev.superstep.repl;
  requires transitive dev.superstep.sandbox;
  requires tools.jackson.databind;

  exports dev.superstep.repl.python;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.repl.python to
      tools.jackson.databind;
}
