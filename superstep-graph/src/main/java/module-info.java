/// The superstep engine: plan, run, fold, save, announce.
///
/// Start at [dev.superstep.graph.Graph]. State is declared as typed channels in
/// [dev.superstep.state.Channel]; what a run keeps is behind
/// [dev.superstep.checkpoint.Checkpointer]; what it tells is an [dev.superstep.event.Event].
@org.jspecify.annotations.NullMarked
module dev.superstep.graph {
  requires transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires tools.jackson.databind;

  exports dev.superstep.call to
      dev.superstep.agent;
  exports dev.superstep.checkpoint;
  exports dev.superstep.error;
  exports dev.superstep.event;
  exports dev.superstep.file;
  exports dev.superstep.graph;
  exports dev.superstep.journal;
  exports dev.superstep.json;
  exports dev.superstep.lock to
      dev.superstep.acp,
      dev.superstep.agent,
      dev.superstep.eval,
      dev.superstep.extras,
      dev.superstep.files,
      dev.superstep.mcp,
      dev.superstep.mcp.server,
      dev.superstep.models.local,
      dev.superstep.otel,
      dev.superstep.registry,
      dev.superstep.retrieval,
      dev.superstep.skills,
      dev.superstep.spring,
      dev.superstep.store,
      dev.superstep.testkit,
      dev.superstep.workspace;
  exports dev.superstep.name to
      dev.superstep.agent,
      dev.superstep.registry;
  exports dev.superstep.node;
  exports dev.superstep.run;
  exports dev.superstep.state;
  exports dev.superstep.store;
  exports dev.superstep.topology;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.graph.internal.execution to
      tools.jackson.databind;
  opens dev.superstep.graph.internal.kernel to
      tools.jackson.databind;
  opens dev.superstep.graph.internal.persistence to
      tools.jackson.databind;
  opens dev.superstep.journal to
      tools.jackson.databind;
}
