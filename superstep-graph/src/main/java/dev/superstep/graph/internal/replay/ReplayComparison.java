package dev.superstep.graph.internal.replay;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.PendingLog;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Json;
import dev.superstep.run.Divergence;
import dev.superstep.run.Divergence.What;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Objects;

/// Compares the result of a superstep with its record, and reports the first difference. As safe
/// for many threads as its tally.
///
/// @param path the nodes that lead to the graph
/// @param after the checkpoint that the superstep had led to
record ReplayComparison(ReplayFindings findings, List<String> path, Checkpoint after) {
  void differs(What what, String node, String channel, String recorded, String now) {
    findings.diverged(
        new Divergence(path, after.id(), after.step(), what, node, channel, recorded, now));
  }

  /// Compares how a task ended.
  boolean agrees(Task task, TaskRecord.End recorded, TaskResult now) {
    var made = CheckpointCodec.end(now, ValueForm.TEXT);
    if (made.equals(recorded)) return true;
    if (made instanceof TaskRecord.End.Finished mine
        && recorded instanceof TaskRecord.End.Finished theirs) {
      if (writes(task, theirs.writes(), mine.writes())) {
        differs(What.COMMAND, task.node(), "", command(theirs), command(mine));
      }
    } else {
      differs(What.END, task.node(), "", recorded.toString(), ReplayRun.format(now));
    }
    return false;
  }

  private static String command(TaskRecord.End.Finished end) {
    return "goes to "
        + end.gotos().map(List::toString).orElse("its edges")
        + ", sends "
        + end.sends()
        + end.signal().map(signal -> ", " + signal).orElse("")
        + end.asked()
            .map(asked -> ", asks `" + asked.question() + "` " + asked.payload())
            .orElse("");
  }

  private boolean writes(Task task, List<SavedWrite> recorded, List<SavedWrite> now) {
    for (int i = 0; i < Math.max(recorded.size(), now.size()); i++) {
      var theirs = i < recorded.size() ? recorded.get(i) : null;
      var mine = i < now.size() ? now.get(i) : null;
      if (Objects.equals(theirs, mine)) continue;
      var first = Objects.requireNonNull(theirs == null ? mine : theirs);
      var was = theirs == null ? "nothing" : theirs.toString();
      var is = mine == null ? "nothing" : mine.toString();
      differs(What.WRITES, task.node(), first.channel(), was, is);
      return false;
    }
    return true;
  }

  /// Compares what the channels hold.
  ///
  /// @param what to call a difference of values
  boolean agrees(What what, Snapshot now, Snapshot recorded) {
    var index = now.index();
    for (int place = 0; place < index.size(); place++) {
      var channel = index.channel(place);
      if (!channel.isTracked()) continue;
      var theirs = format(channel, recorded, place);
      var mine = format(channel, now, place);
      if (!theirs.equals(mine)) {
        differs(what, "", channel.name(), theirs, mine);
        return false;
      }
      if (now.version(place) == recorded.version(place)) continue;
      differs(
          What.VERSION,
          "",
          channel.name(),
          String.valueOf(recorded.version(place)),
          String.valueOf(now.version(place)));
      return false;
    }
    return true;
  }

  @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
  private static <V> String format(Channel<V, ?> channel, Snapshot at, int place) {
    var kept = (V) at.value(place);
    if (kept == null) return "nothing";
    var items = channel.items();
    // How a log of writes is cut into items is no part of the value.
    var value = items.isPresent() ? channel.reducer().read(kept) : kept;
    return value == null ? "nothing" : channel.values().encode(value).text();
  }

  /// Compares the tasks that are due next and those that wait.
  ///
  /// @param recorded the whole progress, wherever it is stored
  boolean follows(Snapshot next, Progress recorded) {
    var now = alike(PendingLog.whole(next.position()), recorded);
    if (now.equals(recorded)) return true;
    differs(What.ROUTING, "", "", format(recorded), format(now));
    return false;
  }

  /// Ignores in which stores subgraphs are saved, which is no matter of the superstep.
  static Progress alike(Progress now, Progress recorded) {
    return now.with(now.memories().elsewhere(recorded.memories().elsewhere()));
  }

  private static String format(Progress progress) {
    var text = new StringBuilder("due ").append(due(progress.next()));
    if (!progress.held().isEmpty()) text.append(", held ").append(due(progress.held()));
    if (!progress.arrived().isEmpty()) text.append(", arrived ").append(progress.arrived());
    if (!progress.seen().isEmpty()) text.append(", seen ").append(progress.seen());
    return text.append(", ran ").append(progress.ran()).toString();
  }

  private static List<String> due(List<PendingNode> all) {
    return all.stream()
        .map(due ->
            due.node()
                + due.argument().map(Json::text).map(json -> " " + json).orElse("")
                + " ("
                + due.activation()
                + ")")
        .toList();
  }
}
