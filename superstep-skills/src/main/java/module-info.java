/// Skills and project notes: folders and files of instructions that an agent loads when it needs
/// them, once a person has confirmed them.
///
/// Start at [dev.superstep.skills.Skills], then [dev.superstep.skills.ProjectNotes].
@org.jspecify.annotations.NullMarked
module dev.superstep.skills {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.workspace;

  exports dev.superstep.skills;

  opens dev.superstep.skills to
      tools.jackson.databind;
}
