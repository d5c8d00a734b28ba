package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.graph.internal.kernel.PendingLog;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.run.Migration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Carries what one shape of a graph saved over to another, as one migration says. Pure.
final class MigrationStep {
  private static final Codec<List<Json>> ITEMS = Codec.listOf(Json.class);

  private final Migration by;

  MigrationStep(Migration by) {
    this.by = by;
  }

  /// Returns the checkpoint in the terms of the other shape. Due tasks keep their ids.
  Saved saved(Saved old) {
    var at = old.checkpoint();
    var checkpoint =
        new Checkpoint(
            at.format(),
            at.id(),
            at.parent(),
            at.generation(),
            at.step(),
            at.source(),
            at.at(),
            at.run(),
            at.graph(),
            by.to(),
            progress(at, PendingLog.progress(old)),
            at.metadata());
    var channels = new ArrayList<SavedChannel>();
    for (var channel : old.channels()) {
      // It is in the progress, in one piece.
      if (channel.name().equals(Progress.CHANNEL)) continue;
      if (!by.drops(channel.name())) channels.add(channel(channel));
    }
    return new Saved(checkpoint, channels);
  }

  /// Returns the new name of a channel.
  String renamed(String channel) {
    return by.channel(channel);
  }

  /// @param channel its new name
  boolean transforms(String channel) {
    return by.changes(channel);
  }

  /// Returns the changes that turn one into the other.
  static List<ChannelChange> changes(Saved before, Saved after) {
    var changes = new ArrayList<>(SavedChannel.changes(before.channels(), after.channels()));
    var names = after.channels().stream().map(SavedChannel::name).toList();
    for (var old : before.channels()) {
      if (names.contains(old.name())) continue;
      changes.add(new ChannelChange(old.name(), old.version(), new Change.Cleared()));
    }
    return changes;
  }

  private SavedChannel channel(SavedChannel old) {
    var name = by.channel(old.name());
    if (!by.changes(name)) return new SavedChannel(name, old.version(), old.content());
    var content =
        switch (old.content()) {
          case Content.Whole(var value) -> new Content.Whole(by.value(name, value));
          case Content.Items(var items) ->
              new Content.Items(items.stream().map(item -> by.value(name, item)).toList());
          case Content.Cleared() -> new Content.Cleared();
        };
    return new SavedChannel(name, old.version(), content);
  }

  private Progress progress(Checkpoint checkpoint, Progress at) {
    var next = new ArrayList<PendingNode>();
    var ids = checkpoint.tasks();
    for (int i = 0; i < at.next().size(); i++) {
      next.add(scheduled(at.next().get(i), Optional.of(ids.get(i))));
    }
    var held = at.held().stream().map(due -> scheduled(due, due.task())).toList();
    var arrived = new LinkedHashMap<String, Set<String>>();
    at.arrived().forEach((join, from) -> arrived.put(join(join), nodes(from)));
    var seen = new LinkedHashMap<String, Map<String, Long>>();
    at.seen().forEach((node, versions) -> seen.put(by.node(node), channels(versions)));
    var memories = at.memories().renamed(by::node);
    return new Progress(
        next,
        held,
        arrived,
        seen,
        List.copyOf(nodes(at.ran())),
        chosen(at),
        memories,
        Optional.empty());
  }

  private Map<String, List<String>> chosen(Progress at) {
    var chosen = new LinkedHashMap<String, List<String>>();
    at.chosen()
        .forEach((router, targets) -> {
          int mark = router.indexOf('#');
          var node = mark < 0 ? router : router.substring(0, mark);
          var rest = router.substring(node.length());
          chosen.put(by.node(node) + rest, List.copyOf(nodes(targets)));
        });
    return chosen;
  }

  private Set<String> nodes(Iterable<String> names) {
    var moved = new LinkedHashSet<String>();
    names.forEach(name -> moved.add(by.node(name)));
    return moved;
  }

  private Map<String, Long> channels(Map<String, Long> versions) {
    var moved = new LinkedHashMap<String, Long>();
    versions.forEach((name, version) -> moved.put(by.channel(name), version));
    return moved;
  }

  /// The name of a join says which nodes it joins.
  private String join(String name) {
    int arrow = name.lastIndexOf(" -> ");
    if (arrow < 0) return name;
    int how = name.indexOf(" (");
    int end = how < 0 ? arrow : how;
    var from = List.of(name.substring(0, end).split("\\+"));
    var moved = from.stream().map(by::node).toList();
    return String.join("+", moved)
        + name.substring(end, arrow)
        + " -> "
        + by.node(name.substring(arrow + 4));
  }

  private PendingNode scheduled(PendingNode due, Optional<String> task) {
    var node = by.node(due.node());
    return new PendingNode(
        node,
        activation(due.activation()),
        due.argument().map(json -> by.argument(node, json)),
        task,
        due.timeout());
  }

  private Activation activation(Activation because) {
    return switch (because) {
      case Activation.Entry _, Activation.Joined _ -> because;
      case Activation.Edge(var from) -> new Activation.Edge(by.node(from));
      case Activation.Routed(var from) -> new Activation.Routed(by.node(from));
      case Activation.Commanded(var from) -> new Activation.Commanded(by.node(from));
      case Activation.Sent(var from) -> new Activation.Sent(by.node(from));
      case Activation.Triggered(var tokens) ->
          new Activation.Triggered(tokens.stream().map(by::channel).toList());
      case Activation.Resumed(var asked, var tokens) ->
          new Activation.Resumed(interrupt(asked), tokens.stream().map(by::channel).toList());
    };
  }

  /// A question of a task of this very graph.
  private Interrupt interrupt(Interrupt asked) {
    return new Interrupt(
        asked.id(),
        asked.task(),
        by.node(asked.node()),
        asked.index(),
        asked.point(),
        asked.question(),
        asked.answerType(),
        asked.payload());
  }

  /// Returns the record of a task in the terms of the other shape.
  ///
  /// @param lists the channels that are stored item by item, by their old names
  TaskRecord task(TaskRecord old, Set<String> lists) {
    var end =
        switch (old.end()) {
          case End.Finished finished -> finished(finished, lists);
          case End.HandedOff(var levels, var kept, var command, var left) ->
              new End.HandedOff(levels, writes(kept, lists), command, left.map(this::memories));
          case End.Waiting(var asked) -> new End.Waiting(asked(old, asked));
          case End.Failed failed -> failed;
        };
    return new TaskRecord(old.task(), by.node(old.node()), end);
  }

  private List<Interrupt> asked(TaskRecord task, List<Interrupt> asked) {
    // Those from inside the task name nodes of another graph.
    return asked.stream().map(i -> i.task().equals(task.task()) ? interrupt(i) : i).toList();
  }

  private End.Finished finished(End.Finished old, Set<String> lists) {
    return new End.Finished(
        writes(old.writes(), lists),
        old.gotos().map(names -> names.stream().map(by::node).toList()),
        old.sends().stream().map(this::send).toList(),
        old.signal(),
        old.asked().map(this::interrupt),
        old.left().map(this::memories));
  }

  private Map<String, Memory> memories(Map<String, Memory> left) {
    return Memories.NONE.with(left).renamed(by::node).left();
  }

  private SavedSend send(SavedSend old) {
    var node = by.node(old.node());
    return new SavedSend(node, by.argument(node, old.argument()), old.timeout());
  }

  private List<SavedWrite> writes(List<SavedWrite> old, Set<String> lists) {
    var writes = new ArrayList<SavedWrite>();
    for (var write : old) {
      if (by.drops(write.channel())) continue;
      var name = by.channel(write.channel());
      writes.add(
          switch (write) {
            case SavedWrite.Put(_, var value) -> new SavedWrite.Put(name, by.value(name, value));
            case SavedWrite.Overwrite(var before, var value) ->
                new SavedWrite.Overwrite(
                    name, lists.contains(before) ? items(name, value) : by.value(name, value));
            case SavedWrite.Remove(_, var key) -> new SavedWrite.Remove(name, key);
          });
    }
    return writes;
  }

  private Json items(String name, Json list) {
    if (!by.changes(name)) return list;
    return ITEMS.encode(ITEMS.decode(list).stream().map(item -> by.value(name, item)).toList());
  }
}
