/// Files, commands and addresses that the tools of an agent may use, and no others.
///
/// Start at [dev.superstep.workspace.Workspace], then [dev.superstep.workspace.WorkspaceTools].
@org.jspecify.annotations.NullMarked
module dev.superstep.workspace {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.sandbox;

  exports dev.superstep.workspace;
  exports dev.superstep.workspace.shell;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.workspace to
      tools.jackson.databind;
  opens dev.superstep.workspace.shell to
      tools.jackson.databind;
}
