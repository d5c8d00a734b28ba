/// Components by name and version, and a bus for the events of all parts of a program.
///
/// Start at [dev.superstep.registry.Registry] and [dev.superstep.registry.EventBus].
@org.jspecify.annotations.NullMarked
module dev.superstep.registry {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.extras;
  requires transitive dev.superstep.flow;
  requires com.fasterxml.jackson.annotation;

  exports dev.superstep.registry;
}
