/// Text files that agents read, search and edit: of a workspace, in memory, in the long-term store,
/// or as changes that a person approves as one diff.
///
/// Start at [dev.superstep.files.FileTree], then [dev.superstep.files.FileTools].
@org.jspecify.annotations.NullMarked
module dev.superstep.files {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.workspace;
  requires re2j;
  requires io.github.javadiffutils;

  exports dev.superstep.files;

  opens dev.superstep.files to
      tools.jackson.databind;
}
