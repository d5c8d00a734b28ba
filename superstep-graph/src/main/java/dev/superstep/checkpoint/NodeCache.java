package dev.superstep.checkpoint;

import java.time.Instant;
import java.util.Optional;

/// Keeps results of nodes, so that later runs, on any thread, need not run the node again. A cache
/// may forget whatever it likes. Safe for many threads.
///
/// Implementations must pass `NodeCacheSuite` of the test kit. An exception of a cache does not
/// fail a run: the run continues without it.
public interface NodeCache {
  /// The key of a cached result.
  ///
  /// @param graph the name of the node's graph
  /// @param version the version of the node's code, as its policy says
  /// @param input a digest of all that the result depends on
  record Key(String graph, String node, String version, String input) {}

  /// A cached result.
  ///
  /// @param until when it must not be used any more; absent if it never expires
  record Entry(TaskRecord.End.Finished result, Optional<Instant> until) {}

  /// The last entry that was put under this key, if it is still there. It may be out of date: the
  /// caller looks at [Entry#until].
  Optional<Entry> get(Key key);

  /// Keeps an entry in place of the one that was there.
  void put(Key key, Entry entry);

  /// Forgets all results of a node.
  void clear(String graph, String node);
}
