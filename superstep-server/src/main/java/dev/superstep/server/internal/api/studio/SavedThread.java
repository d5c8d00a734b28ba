package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadListing;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.InvalidName;
import dev.superstep.server.internal.http.HttpFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A thread as it is stored, read without its graph. Immutable.
///
/// @param tasks the records of its due tasks that have ended so far
/// @param questions those that nobody has answered
record SavedThread(String thread, Saved saved, List<TaskRecord> tasks, List<Interrupt> questions) {
  /// The newest state of a thread; empty if nothing of it is stored.
  static Optional<SavedThread> find(Checkpointer store, String thread) {
    var lineage = Lineage.of(thread);
    return store.latest(lineage).map(saved -> of(store, lineage, saved));
  }

  /// The newest state of a thread.
  ///
  /// @throws HttpFailure 404 if nothing of it is stored
  static SavedThread of(Checkpointer store, String thread) {
    return find(store, thread)
        .orElseThrow(() -> new HttpFailure(404, "Thread `" + thread + "` has no state yet."));
  }

  /// The state of a thread at one of its checkpoints.
  ///
  /// @throws HttpFailure 404 if there is none
  static SavedThread at(Checkpointer store, String thread, String checkpoint) {
    var lineage = Lineage.of(thread);
    return store
        .byId(lineage, checkpoint)
        .map(saved -> of(store, lineage, saved))
        .orElseThrow(() ->
            new HttpFailure(
                404, "Thread `%s` has no checkpoint `%s`.".formatted(thread, checkpoint)));
  }

  /// The state of a graph inside a task of a thread, at one of its checkpoints.
  ///
  /// @param task around the graph, as events name it
  /// @throws HttpFailure 404 if there is none
  static SavedThread inside(Checkpointer store, String thread, String task, String checkpoint) {
    for (var lineage : lineages(store, thread, task)) {
      var saved = store.byId(lineage, checkpoint);
      if (saved.isPresent()) return of(store, lineage, saved.get());
    }
    throw new HttpFailure(
        404,
        "Task `%s` of thread `%s` has no checkpoint `%s`.".formatted(task, thread, checkpoint));
  }

  /// The newest state of a graph inside a task of a thread; empty if nothing of it is stored.
  static Optional<SavedThread> newestInside(Checkpointer store, String thread, String task) {
    return lineages(store, thread, task).stream()
        .flatMap(lineage -> store.latest(lineage).map(saved -> of(store, lineage, saved)).stream())
        .findFirst();
  }

  /// The lines of checkpoints that a graph inside a task may have: its own, or one that it shares
  /// with other tasks, since it remembers.
  private static List<Lineage> lineages(Checkpointer store, String thread, String task) {
    var all = new ArrayList<Lineage>();
    try {
      all.add(new Lineage(thread, task));
    } catch (InvalidName e) {
      throw new HttpFailure(422, "`task` names no task: " + e.getMessage());
    }
    all.add(Lineage.ofMemory(thread, task));
    store
        .latest(Lineage.of(thread))
        .ifPresent(newest -> {
          for (var memory : newest.checkpoint().progress().memories().left().values()) {
            all.add(new Lineage(thread, memory.namespace()));
          }
        });
    return all;
  }

  private static SavedThread of(Checkpointer store, Lineage lineage, Saved saved) {
    var at = saved.checkpoint();
    var tasks = store.tasks(lineage, at.id());
    var open = asked(at.progress().next(), tasks);
    var answered = store.answers(lineage, at.id()).stream().map(Answer::interrupt).toList();
    open.keySet().removeAll(answered);
    return new SavedThread(lineage.thread(), saved, tasks, List.copyOf(open.values()));
  }

  private static LinkedHashMap<String, Interrupt> asked(
      List<PendingNode> due, List<TaskRecord> tasks) {
    var all = new LinkedHashMap<String, Interrupt>();
    for (var each : due) {
      if (each.activation() instanceof Activation.Resumed(var question, _)) {
        all.put(question.id(), question);
      }
    }
    for (var task : tasks) {
      if (task.end() instanceof TaskRecord.End.Waiting(var questions)) {
        for (var question : questions) all.put(question.id(), question);
      }
    }
    return all;
  }

  Checkpoint checkpoint() {
    return saved.checkpoint();
  }

  /// The nodes that are due, in task order.
  List<String> next() {
    return checkpoint().progress().next().stream().map(PendingNode::node).toList();
  }

  /// In one word, as LangGraph's clients know it; `stopped` for a thread with work left that nobody
  /// does.
  String status(Checkpointer store) {
    boolean isBusy =
        store
            .capability(ThreadListing.class)
            .flatMap(listing -> listing.find(thread))
            .flatMap(head -> head.holder())
            .isPresent();
    if (isBusy) return "busy";
    if (!questions.isEmpty()) return "interrupted";
    if (tasks.stream().anyMatch(task -> task.end() instanceof TaskRecord.End.Failed)) {
      return "error";
    }
    return next().isEmpty() ? "idle" : "stopped";
  }

  /// The values of the channels.
  ObjectNode values() {
    var values = StudioReplies.object();
    for (var channel : saved.channels()) {
      // What the engine keeps for itself is no part of a graph's state.
      if (channel.name().equals(Progress.CHANNEL)) continue;
      switch (channel.content()) {
        case Content.Whole(var value) -> values.set(channel.name(), StudioReplies.tree(value));
        case Content.Items(var items) -> {
          var list = values.putArray(channel.name());
          for (var item : items) list.add(StudioReplies.tree(item));
        }
        case Content.Cleared() -> {}
      }
    }
    return values;
  }
}
