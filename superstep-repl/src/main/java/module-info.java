/// The session language `.ragsh`: small programs of a model or a person that reach nothing but what
/// their host grants, with limits on what they may spend.
///
/// Start at [dev.superstep.repl.ReplSession].
@org.jspecify.annotations.NullMarked
module dev.superstep.repl {
  requires transitive dev.superstep.language;
  requires re2j;

  exports dev.superstep.repl;
  exports dev.superstep.repl.context;
  exports dev.superstep.repl.host;
}
