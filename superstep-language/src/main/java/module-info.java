/// Graphs as text: sources and diagnostics, the syntax of `.rag`, blueprints, and the checks
/// between a text and a blueprint. Nothing here reads a file, a clock or the environment.
///
/// Start at [dev.superstep.language.check.Blueprints].
@org.jspecify.annotations.NullMarked
module dev.superstep.language {
  requires transitive org.jspecify;
  requires tools.jackson.core;

  exports dev.superstep.language;
  exports dev.superstep.language.rag;
  exports dev.superstep.language.blueprint;
  exports dev.superstep.language.bounds;
  exports dev.superstep.language.check;
}
