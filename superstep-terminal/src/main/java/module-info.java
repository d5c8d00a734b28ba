/// From a prompt to a plan and to commands that a person approves: what a command would do, whether
/// it may run, and how a conversation goes on. Nothing here draws.
@org.jspecify.annotations.NullMarked
module dev.superstep.terminal {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.language;
  requires transitive dev.superstep.sandbox;
  requires re2j;
  requires org.tomlj;
  requires tools.jackson.core;
  requires tools.jackson.databind;

  exports dev.superstep.terminal;
  exports dev.superstep.terminal.approval;
  exports dev.superstep.terminal.backend;
  exports dev.superstep.terminal.policy;
  exports dev.superstep.terminal.privacy;
  exports dev.superstep.terminal.risk;
  exports dev.superstep.terminal.shell;
  exports dev.superstep.terminal.state;
  exports dev.superstep.terminal.transcript;
  exports dev.superstep.terminal.undo;

  // What threads hold is made of hidden records.
  opens dev.superstep.terminal to
      tools.jackson.databind;
  // The replies of models as well.
  opens dev.superstep.terminal.internal.form to
      tools.jackson.databind;
  opens dev.superstep.terminal.approval to
      tools.jackson.databind;
}
