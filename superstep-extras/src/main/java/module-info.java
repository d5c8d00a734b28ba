/// Extensions of the engine: ready-made shapes of graphs, lobes, learned routing, and work that
/// outlives a run.
///
/// Start at [dev.superstep.shape.PlanExecuteReview] for a shape, at [dev.superstep.lobe.Lobes] for
/// experts that share channels, at [dev.superstep.matrix.Matrix] for routing that learns, and at
/// [dev.superstep.detached.DetachedTasks] for work in the background.
@org.jspecify.annotations.NullMarked
module dev.superstep.extras {
  requires transitive dev.superstep.graph;

  exports dev.superstep.detached;
  exports dev.superstep.lobe;
  exports dev.superstep.matrix;
  exports dev.superstep.shape;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.matrix to
      tools.jackson.databind;
}
