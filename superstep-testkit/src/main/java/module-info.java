/// What tests of agents need: conformance suites and servers that play a vendor.
///
/// Start at [dev.superstep.testkit.model.ChatModelSuite] to test a model of your own.
@org.jspecify.annotations.NullMarked
module dev.superstep.testkit {
  requires transitive dev.superstep.agent;
  requires transitive org.junit.jupiter.api;
  requires jdk.httpserver;
  requires org.assertj.core;
  requires tools.jackson.databind;

  exports dev.superstep.testkit.model;
}
