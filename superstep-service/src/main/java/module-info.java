/// Keeps what a service knows beside the checkpoints of its threads: assistants, runs, schedules,
/// deliveries, and the events of runs that clients may still read.
///
/// Start at [dev.superstep.service.ServiceStore].
@org.jspecify.annotations.NullMarked
module dev.superstep.service {
  requires transitive dev.superstep.graph;
  requires tools.jackson.databind;

  exports dev.superstep.service;
}
