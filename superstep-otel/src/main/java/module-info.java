/// Runs and agents as OpenTelemetry spans and metrics, by the GenAI semantic conventions.
///
/// Start at [dev.superstep.otel.Telemetry].
@org.jspecify.annotations.NullMarked
module dev.superstep.otel {
  requires transitive dev.superstep.agent;
  requires static dev.superstep.server;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires io.opentelemetry.common;

  exports dev.superstep.otel;
}
