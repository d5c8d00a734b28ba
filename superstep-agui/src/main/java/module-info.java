/// AG-UI, the protocol between agents and the applications of their users, on a server's run API.
///
/// Start at [dev.superstep.agui.AgUi].
@org.jspecify.annotations.NullMarked
module dev.superstep.agui {
  requires transitive dev.superstep.server;
  requires tools.jackson.databind;

  exports dev.superstep.agui;
}
