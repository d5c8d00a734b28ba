/// The `superstep` command: the only place that wires concrete parts together.
///
/// Start at `Main`, then `run.ProgramRun`, which does `superstep run`, and `run.ThreadRun`, which
/// runs a thread and asks people. Nothing here is for use by programs.
@org.jspecify.annotations.NullMarked
module dev.superstep.cli {
  requires dev.superstep.a2a;
  requires dev.superstep.acp;
  requires dev.superstep.agent;
  requires dev.superstep.agui;
  requires dev.superstep.eval;
  requires dev.superstep.graph;
  requires dev.superstep.language;
  requires dev.superstep.language.server;
  requires dev.superstep.mcp;
  requires dev.superstep.mcp.server;
  requires dev.superstep.models;
  requires dev.superstep.models.local;
  requires dev.superstep.rag;
  requires dev.superstep.registry;
  requires dev.superstep.repl;
  requires dev.superstep.sandbox;
  requires dev.superstep.server;
  requires dev.superstep.service;
  requires dev.superstep.store;
  requires dev.superstep.terminal;
  requires dev.superstep.workspace;
  requires com.zaxxer.hikari;
  requires info.picocli;
  // For programs whose folder holds their sources.
  requires java.compiler;
  requires java.management;
  requires java.logging;
  requires java.xml;
  // For SIGTERM.
  requires jdk.unsupported;
  requires org.jline;
  requires org.tomlj;

  // The JDK makes the settings of logging.
  exports dev.superstep.cli.host to
      java.logging;

  // picocli fills hidden fields.
  opens dev.superstep.cli.command to
      info.picocli,
      tools.jackson.databind;
  opens dev.superstep.cli.command.base to
      info.picocli;
  opens dev.superstep.cli.command.eval to
      info.picocli;
  opens dev.superstep.cli.command.mcp to
      info.picocli;
  // The lines of `--json` are hidden records.
  opens dev.superstep.cli.rlm.bench to
      tools.jackson.databind;
  opens dev.superstep.cli.chat to
      tools.jackson.databind;
  opens dev.superstep.cli.mcp to
      tools.jackson.databind;
  opens dev.superstep.cli.conversation to
      tools.jackson.databind;
  opens dev.superstep.cli.text to
      tools.jackson.databind;
  opens dev.superstep.cli.run to
      tools.jackson.databind;
  opens dev.superstep.cli.view to
      tools.jackson.databind;
  opens dev.superstep.cli.serve to
      tools.jackson.databind;
}
