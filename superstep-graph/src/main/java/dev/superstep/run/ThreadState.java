package dev.superstep.run;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
/// @param tasks the due tasks, in task order: which of them have finished, and what they wrote,
///   which is not in the state before all of them have
public record ThreadState(
    State state,
    String checkpoint,
    int step,
    List<String> next,
    List<BlockedNode> blocked,
    List<Interrupt> questions,
    Map<String, String> metadata,
    Map<String, Json> sent,
    Map<String, ThreadState> inside,
    List<DueTask> tasks) {
  /// A due task, as it stands. Immutable.
  ///
  /// @param id as in events
  /// @param name the node, and where there may be several of it the place in task order: `each#7`
  /// @param end how the task ended when it last ran; absent if it did not run to an end
  /// @param questions those of its questions that wait for an answer
  public record DueTask(
      String id,
      String node,
      String name,
      Optional<TaskRecord.End> end,
      List<Interrupt> questions) {
    public DueTask {
      questions = List.copyOf(questions);
    }

    /// Returns whether the task has finished, so that it does not run again.
    public boolean isFinished() {
      return end.filter(how -> isFinal(how)).isPresent();
    }

    private static boolean isFinal(TaskRecord.End end) {
      return switch (end) {
        case TaskRecord.End.Finished _, TaskRecord.End.HandedOff _ -> true;
        case TaskRecord.End.Waiting _, TaskRecord.End.Failed _ -> false;
      };
    }

    /// The failure because of which the task runs again, or empty if it did not fail.
    public Optional<TaskRecord.End.Failed> failure() {
      return end.filter(TaskRecord.End.Failed.class::isInstance)
          .map(TaskRecord.End.Failed.class::cast);
    }

    /// The writes of a finished task to its graph, in order; empty if it has not finished.
    public List<SavedWrite> writes() {
      return switch (end.orElse(null)) {
        case TaskRecord.End.Finished finished -> finished.writes();
        case TaskRecord.End.HandedOff handed -> handed.kept();
        case TaskRecord.End.Waiting _, TaskRecord.End.Failed _ -> List.of();
        case null -> List.of();
      };
    }

    /// The values that a finished task wrote to a channel, in order, without those that overwrite
    /// it.
    public <W> List<W> read(Channel<?, W> channel) {
      var read = new ArrayList<W>();
      for (var write : writes()) {
        if (write instanceof SavedWrite.Put(var name, var json) && name.equals(channel.name())) {
          read.add(channel.writes().decode(json));
        }
      }
      return read;
    }
  }

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
