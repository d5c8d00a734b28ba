/// The single dependency of most programs: agents and graphs, hosted models, and threads that
/// outlive the process in a SQLite file. It has no code of its own.
///
/// Start at [dev.superstep.agent.Agent] or [dev.superstep.graph.Graph], at
/// [dev.superstep.model.ModelProviders] for a model, and at
/// [dev.superstep.store.jdbc.SqliteCheckpointer] for a file.
@org.jspecify.annotations.NullMarked
module dev.superstep.starter {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.models;
  requires transitive dev.superstep.store;
}
