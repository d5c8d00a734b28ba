/// The session language `.ragsh`: small programs of a model or a person that reach nothing but what
/// their host grants, with limits on what they may spend.
///
/// Start at [dev.superstep.repl.ReplSession].
@org.jspecify.annotations.NullMarked
module dev.superstep.repl {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.language;
  requires transitive dev.superstep.registry;
  requires re2j;
  requires tools.jackson.databind;

  exports dev.superstep.repl;
  exports dev.superstep.repl.agent;
  exports dev.superstep.repl.config;
  exports dev.superstep.repl.context;
  exports dev.superstep.repl.grant;
  exports dev.superstep.repl.host;
  exports dev.superstep.repl.record;
  exports dev.superstep.repl.trajectory;

  // What threads hold is made of hidden records, too.
  opens dev.superstep.repl.agent to
      tools.jackson.databind;
  opens dev.superstep.repl.record to
      tools.jackson.databind;
  opens dev.superstep.repl.trajectory to
      tools.jackson.databind;
}
