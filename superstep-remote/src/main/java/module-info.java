/// Graphs that another server runs, as nodes and tools of graphs and agents here.
///
/// Start at [dev.superstep.remote.RemoteGraph].
@org.jspecify.annotations.NullMarked
module dev.superstep.remote {
  requires transitive dev.superstep.agent;
  requires transitive java.net.http;
  requires tools.jackson.databind;

  exports dev.superstep.remote;
}
