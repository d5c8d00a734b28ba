/// Doubles and suites for testing what is built with, or for, Superstep.
///
/// Who implements a [dev.superstep.checkpoint.Checkpointer] starts at
/// [dev.superstep.testkit.CheckpointerSuite].
@org.jspecify.annotations.NullMarked
module dev.superstep.testkit {
  requires transitive dev.superstep.graph;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports dev.superstep.testkit;
}
