/// A ready arrangement of an agent for long work: a plan, files, sub-agents with contexts of their
/// own, summaries, skills, and memories that last.
///
/// Start at [dev.superstep.deep.DeepAgent].
@org.jspecify.annotations.NullMarked
module dev.superstep.deep {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.files;
  requires transitive dev.superstep.skills;

  exports dev.superstep.deep;
}
