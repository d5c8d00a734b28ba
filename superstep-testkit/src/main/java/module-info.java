/// Test tools for programs and for extensions.
///
/// Start at [dev.superstep.testkit.EventRecorder] to watch a run of a program of your own, with a
/// [dev.superstep.testkit.ManualClock] and [dev.superstep.testkit.CountingIds].
///
/// Start at [dev.superstep.testkit.agent.AgentAssertions] to say what an agent must ask and do, and
/// at [dev.superstep.testkit.junit.SuperstepExtension] to replay what real models said.
///
/// Start at [dev.superstep.testkit.CheckpointerSuite] for a checkpointer of your own, at
/// [dev.superstep.testkit.model.ChatModelSuite], which every `ChatModel` must pass, and at
/// [dev.superstep.testkit.VectorIndexSuite] for what keeps an index of documents.
@org.jspecify.annotations.NullMarked
module dev.superstep.testkit {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.graph;
  requires transitive dev.superstep.retrieval;
  requires transitive dev.superstep.service;
  requires transitive org.junit.jupiter.api;
  requires jdk.httpserver;
  requires transitive org.assertj.core;
  requires transitive tools.jackson.databind;

  exports dev.superstep.testkit;
  exports dev.superstep.testkit.agent;
  exports dev.superstep.testkit.junit;
  exports dev.superstep.testkit.model;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.testkit.junit to
      tools.jackson.databind;
}
