package dev.superstep.checkpoint;

import dev.superstep.json.InvalidName;
import java.util.List;

/// The owner of a line of checkpoints: a thread, and within it the graph itself or one of its
/// subgraphs.
///
/// @param thread names one conversation, job or case; chosen by the user
/// @param namespace empty for the graph itself
public record Lineage(String thread, String namespace) {
  private static final int THREAD_MAX = 200;

  /// No id of a task begins like this.
  private static final String REMEMBERED = "~";

  private static final String NAMED = REMEMBERED + "/";

  public Lineage {
    if (thread.isBlank() || thread.length() > THREAD_MAX) {
      throw new IllegalArgumentException(
          "thread must have 1 to " + THREAD_MAX + " characters, was `" + thread + "`");
    }
    InvalidName.check("Thread", thread);
    InvalidName.check("Namespace", namespace);
  }

  /// The thread's own graph.
  public static Lineage of(String thread) {
    return new Lineage(thread, "");
  }

  /// Returns the lineage of a subgraph that remembers, named as in format 1, in which a thread had
  /// one such lineage for a path.
  ///
  /// @param path the nodes that lead to it
  public static Lineage remembered(String thread, List<String> path) {
    return new Lineage(thread, NAMED + String.join("/", path));
  }

  /// Returns the lineage of a subgraph that remembers, named by the activation that began it. So no
  /// other thread, and no other past of this one, has the same.
  ///
  /// @param owner the activation, as it is known in the thread
  public static Lineage ofMemory(String thread, String owner) {
    return new Lineage(thread, REMEMBERED + owner);
  }

  /// Returns whether this is the lineage of a subgraph that remembers.
  public boolean isRemembered() {
    return namespace.startsWith(REMEMBERED);
  }

  /// Returns whether this is the lineage of a subgraph that remembers, named as in format 1.
  public boolean isNamedByPath() {
    return namespace.startsWith(NAMED);
  }

  /// The activation that began the memory that it is, or else the namespace.
  public String owner() {
    return isRemembered() ? namespace.substring(REMEMBERED.length()) : namespace;
  }
}
