/// The Agent Client Protocol, by which editors talk to agents: the agent's side, over standard
/// streams.
///
/// Start at [dev.superstep.acp.AcpAgent].
@org.jspecify.annotations.NullMarked
module dev.superstep.acp {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.files;
  requires dev.superstep.workspace;
  requires org.slf4j;
  requires tools.jackson.databind;

  exports dev.superstep.acp;

  // Hidden records are read and written as JSON.
  opens dev.superstep.acp to
      tools.jackson.databind;
}
