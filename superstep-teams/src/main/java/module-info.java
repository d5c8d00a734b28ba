/// Agents that work together, and work over many runs.
///
/// Start at [dev.superstep.team.Orchestration] for agents that share one run, at
/// [dev.superstep.goal.GoalLoop] for a goal that takes many runs, and at
/// [dev.superstep.board.Board] for tasks that workers claim.
@org.jspecify.annotations.NullMarked
module dev.superstep.teams {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.extras;

  exports dev.superstep.board;
  exports dev.superstep.goal;
  exports dev.superstep.team;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.board to
      tools.jackson.databind;
  opens dev.superstep.goal to
      tools.jackson.databind;
  opens dev.superstep.team to
      tools.jackson.databind;
}
