package dev.superstep.checkpoint;

/// The name of a task in every process: its generation, the superstep and the node; and, where
/// there may be several tasks of the node, its place in task order. None of that depends on a
/// checkpoint, so it stays the same when checkpoints were lost that were not safe yet.
public final class TaskId {
  private TaskId() {}

  /// The start of the ids of all tasks of a superstep. It ends before the slash.
  public static String of(String generation, int step) {
    return generation + "/" + step;
  }

  /// Of the one task of a node.
  ///
  /// @param step the superstep that it runs in
  public static String of(String generation, int step, String node) {
    return of(generation, step) + "/" + node;
  }

  /// Of one of several tasks of a node.
  ///
  /// @param step the superstep that it runs in
  /// @param place of the task among those of its superstep, from 0
  public static String of(String generation, int step, String node, int place) {
    return of(generation, step, node) + "/" + place;
  }
}
