package dev.superstep.checkpoint;

/// Whose checkpoints these are: a thread, and within it the graph itself or one of its subgraphs.
///
/// @param thread names one conversation, job or case; chosen by the user
/// @param namespace empty for the graph itself
public record Lineage(String thread, String namespace) {
  private static final int THREAD_MAX = 200;

  public Lineage {
    if (thread.isBlank() || thread.length() > THREAD_MAX) {
      throw new IllegalArgumentException(
          "thread must have 1 to " + THREAD_MAX + " characters, was `" + thread + "`");
    }
    if (thread.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("thread must not hold control characters");
    }
  }

  /// The thread's own graph.
  public static Lineage of(String thread) {
    return new Lineage(thread, "");
  }
}
