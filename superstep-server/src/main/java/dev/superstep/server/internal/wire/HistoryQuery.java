package dev.superstep.server.internal.wire;

import java.util.Map;
import java.util.Optional;

/// The part of a thread's history that a client wants. Immutable.
///
/// @param before the checkpoint before which to begin, as clients know it
/// @param metadata entries that the checkpoints must have, in stored form: [RunMetadata]
/// @param of the checkpoint whose namespace is meant; with an id, the history begins there
public record HistoryQuery(
    int limit, Optional<String> before, Map<String, String> metadata, CheckpointRef of) {
  /// The newest ones of a thread.
  public static HistoryQuery newest(int limit) {
    return new HistoryQuery(limit, Optional.empty(), Map.of(), CheckpointRef.newest());
  }
}
