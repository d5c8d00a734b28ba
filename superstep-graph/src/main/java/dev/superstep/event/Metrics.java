package dev.superstep.event;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The counts of a [RunMetrics] at some moment. Immutable.
///
/// @param runs of graphs that run by themselves
/// @param nodes of all graphs, those inside others included, by graph and name
/// @param channels of all graphs, by graph and name
/// @param supersteps how long those of all graphs took
/// @param checkpoints how many were saved, by why, such as `LOOP`; empty unless
///   [Detail#CHECKPOINTS] is heard
/// @param questions how many were asked
/// @param events how many were heard, by what they are about, such as `LIFECYCLE`
/// @param lost how many events did not reach the counter, so that all counts may be too low
public record Metrics(
    Runs runs,
    List<NodeCounts> nodes,
    List<ChannelCounts> channels,
    Latency supersteps,
    Map<String, Long> checkpoints,
    long questions,
    Map<String, Long> events,
    long lost) {
  public Metrics {
    nodes = List.copyOf(nodes);
    channels = List.copyOf(channels);
    checkpoints = java.util.Collections.unmodifiableMap(new TreeMap<>(checkpoints));
    events = java.util.Collections.unmodifiableMap(new TreeMap<>(events));
  }

  /// Runs by how they ended. Those of which no end was heard are at work, or their process died.
  ///
  /// @param resumed how many of those that started continued from a checkpoint
  /// @param took how long they took, however they ended
  public record Runs(
      long started,
      long resumed,
      long completed,
      long interrupted,
      long stopped,
      long failed,
      Latency took) {}

  /// The tasks of a node by how they ended.
  ///
  /// @param started how many began; those whose end was not received are at work, were abandoned,
  ///   or wait since a subgraph of them asked
  /// @param finished how many ended well
  /// @param handled how many failed in a way that the node's policy handles
  /// @param failed how many failed and ended their run
  /// @param waiting how many asked a question and wait for its answer
  /// @param retries how often it was tried again
  /// @param cached how often an earlier result replaced it
  /// @param skipped how often it was due, but its gate was closed
  /// @param took how long those that finished took, the times before they were tried again included
  public record NodeCounts(
      String graph,
      String node,
      long started,
      long finished,
      long handled,
      long failed,
      long waiting,
      long retries,
      long cached,
      long skipped,
      Latency took) {}

  /// The growth of a channel.
  ///
  /// @param writers how many tasks wrote it
  /// @param changes how many supersteps changed it
  /// @param size how many characters of JSON its last value had; 0 unless [Detail#VALUES] is
  ///   requested
  /// @param largest the largest such size
  public record ChannelCounts(
      String graph, String channel, long writers, long changes, long size, long largest) {}

  /// All of it as one JSON object.
  public Json json() {
    return Codec.of(Metrics.class).encode(this);
  }
}
