package dev.superstep.run;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;

/// The state of a saved thread between two runs. Immutable.
///
/// @param step the last finished superstep
/// @param next the nodes that are due, empty when the thread has nothing left to do
/// @param blocked due nodes that do not simply run next, and deferred nodes, each with the reason;
///   in task order, the deferred ones last
/// @param questions the interrupts that wait for an answer, in task order
/// @param metadata what the caller attached to the run that wrote it
/// @param sent the arguments of due tasks, by the ids of the tasks that were sent one
/// @param inside the saved subgraphs of tasks that are due and have not finished, in task order;
///   their names are those in the path of events, as `each#7` for a task that was sent
public record ThreadState(
    State state,
    String checkpoint,
    int step,
    List<String> next,
    List<BlockedNode> blocked,
    List<Interrupt> questions,
    Map<String, String> metadata,
    Map<String, Json> sent,
    Map<String, ThreadState> inside) {
  /// A node that is held back. A node that asked is not among these: it is among the questions.
  public record BlockedNode(String node, BlockReason reason) {}

  /// The reasons that can hold a node back.
  public enum BlockReason {
    /// The run stopped at a breakpoint before or inside it; it runs when the thread is resumed.
    PAUSE,
    /// The run was drained before or inside it; it runs when the thread is resumed.
    DRAIN,
    /// Its gate is closed: none of its channels has changed, so that it will be skipped.
    GATE,
    /// It is deferred until nothing else is due.
    DEFERRED
  }
}
