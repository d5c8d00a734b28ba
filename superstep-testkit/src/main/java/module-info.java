/// What tests of agents need: conformance suites and servers that play a vendor.
///
/// Start at [dev.superstep.testkit.CheckpointerSuite] to test a store of your own, and at
/// [dev.superstep.testkit.model.ChatModelSuite] to test a model.
@org.jspecify.annotations.NullMarked
module dev.superstep.testkit {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.graph;
  requires transitive org.junit.jupiter.api;
  requires jdk.httpserver;
  requires org.assertj.core;
  requires tools.jackson.databind;

  exports dev.superstep.testkit;
  exports dev.superstep.testkit.model;
}
