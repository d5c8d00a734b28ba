/// The `superstep` command: the only place that wires concrete parts together.
///
/// Start at `Main`, then `RunWork`, which is what `superstep run` does, and `ThreadRun`, which runs
/// a thread and asks people. Nothing here is for use by programs.
@org.jspecify.annotations.NullMarked
module dev.superstep.cli {
  requires dev.superstep.agent;
  requires dev.superstep.graph;
  requires dev.superstep.models;
  requires dev.superstep.models.local;
  requires dev.superstep.store;
  requires info.picocli;
  requires java.logging;
  requires org.tomlj;

  // picocli fills hidden fields; the lines of `--json` are hidden records.
  opens dev.superstep.cli to
      info.picocli,
      tools.jackson.databind;
}
