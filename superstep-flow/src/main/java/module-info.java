/// Typed flows: steps that consume and produce values, checked before they run and resumable from a
/// snapshot.
///
/// Start at [dev.superstep.flow.Flow].
@org.jspecify.annotations.NullMarked
module dev.superstep.flow {
  requires transitive dev.superstep.agent;
  requires tools.jackson.databind;

  exports dev.superstep.flow;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.flow to
      tools.jackson.databind;
}
