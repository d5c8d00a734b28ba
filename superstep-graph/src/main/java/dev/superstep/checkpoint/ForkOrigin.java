package dev.superstep.checkpoint;

/// Where the content of a checkpoint of source [Checkpoint.Source#FORK] comes from.
///
/// @param source the line of checkpoints that holds the older one
/// @param checkpoint the id of the older one
public record ForkOrigin(Kind kind, Lineage source, String checkpoint) {
  /// The operations that begin from an older checkpoint.
  public enum Kind {
    /// Another thread begins there.
    FORK,
    /// The thread was taken back to there.
    REWIND,
    /// A subgraph continues from a memory from which others have continued as well.
    MEMORY
  }
}
