/// Graphs that are written as `.rag` text, bound to registered components and run.
///
/// Start at [dev.superstep.rag.Rag].
@org.jspecify.annotations.NullMarked
module dev.superstep.rag {
  requires transitive dev.superstep.language;
  requires transitive dev.superstep.registry;
  requires transitive dev.superstep.repl;

  exports dev.superstep.rag;
  exports dev.superstep.rag.component;
  exports dev.superstep.rag.error;
  exports dev.superstep.rag.review;
  exports dev.superstep.rag.testing;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.rag.internal.node to
      tools.jackson.databind;
  opens dev.superstep.rag.internal.run to
      tools.jackson.databind;
  opens dev.superstep.rag.review to
      tools.jackson.databind;
}
