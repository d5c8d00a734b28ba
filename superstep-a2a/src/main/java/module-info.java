/// The A2A protocol: the agents of a server for other programs, and agents elsewhere as nodes and
/// tools.
///
/// Start at [dev.superstep.a2a.server.A2aServer] or [dev.superstep.a2a.client.A2aAgent].
@org.jspecify.annotations.NullMarked
module dev.superstep.a2a {
  requires transitive dev.superstep.server;
  requires java.net.http;
  requires tools.jackson.databind;

  exports dev.superstep.a2a.client;
  exports dev.superstep.a2a.server;
}
