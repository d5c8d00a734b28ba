package dev.superstep.flow;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The position of a graph between two transitions, in the form of a snapshot. Immutable.
///
/// @param generation absent where it was written before there were any: the checkpoint's own
/// @param versions how often each state of the flow was written; empty for graphs inside
/// @param channels of a graph inside, all that it holds but conversations; of the flow itself, what
///   counts the runs of steps in loops
/// @param tasks how tasks of the superstep at work have ended
/// @param steps the results of steps in those tasks
/// @param answers that were given to those tasks
/// @param inside the graphs inside of those tasks, by the ids of the tasks
record EnginePosition(
    String checkpoint,
    Optional<String> generation,
    int step,
    Checkpoint.Source source,
    Instant time,
    String run,
    String graph,
    String hash,
    ProgressRecord progress,
    Map<String, String> metadata,
    Map<String, Long> versions,
    List<SavedChannel> channels,
    List<TaskRecord> tasks,
    List<StepRecord> steps,
    List<Answer> answers,
    Map<String, EnginePosition> inside) {
  Checkpoint checkpoint(int format) {
    return new Checkpoint(
        format,
        checkpoint,
        Optional.empty(),
        generation.orElse(checkpoint),
        step,
        source,
        time,
        run,
        graph,
        hash,
        progress.progress(),
        metadata);
  }
}
