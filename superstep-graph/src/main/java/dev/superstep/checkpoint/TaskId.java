package dev.superstep.checkpoint;

/// How a task is named in every process: by the checkpoint that it runs from, the superstep and the
/// node; and, where there may be several tasks of the node, by its place in task order.
public final class TaskId {
  private TaskId() {}

  /// Of the one task of a node.
  ///
  /// @param step the superstep that it runs in
  public static String of(String checkpoint, int step, String node) {
    return checkpoint + "/" + step + "/" + node;
  }

  /// Of one of several tasks of a node.
  ///
  /// @param step the superstep that it runs in
  /// @param place of the task among those of its superstep, from 0
  public static String of(String checkpoint, int step, String node, int place) {
    return of(checkpoint, step, node) + "/" + place;
  }
}
