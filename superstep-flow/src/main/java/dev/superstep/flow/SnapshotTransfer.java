package dev.superstep.flow;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads the contents of a snapshot from a checkpointer, and writes them into one. For one thread
/// at a time.
final class SnapshotTransfer {
  /// The channel of an agent's conversation in its graph.
  private static final String MESSAGES = "messages";

  /// The channel that tells that a graph is an agent's.
  private static final String PROGRESS = "agent-progress";

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int PAGE = 100;

  private final Checkpointer store;
  private final String thread;

  SnapshotTransfer(Checkpointer store, String thread) {
    this.store = store;
    this.thread = thread;
  }

  // --- Out ---

  /// The values of the states, by their keys, as text: a snapshot may go anywhere.
  ///
  /// @throws dev.superstep.json.MalformedJson if one that only memory has held has no text
  Map<String, Json> states() {
    var states = new LinkedHashMap<String, Json>();
    for (var channel : threadRecord("").latest().channels()) {
      if (Lowering.isCount(channel.name())) continue;
      if (!(channel.content() instanceof Content.Whole(var json))) continue;
      var _ = json.text();
      states.put(channel.name(), json);
    }
    return states;
  }

  EnginePosition position() {
    return level("");
  }

  private EnginePosition level(String namespace) {
    var threadRecord = threadRecord(namespace);
    var at = threadRecord.latest().checkpoint();
    var versions = new LinkedHashMap<String, Long>();
    var channels = new ArrayList<SavedChannel>();
    for (var channel : threadRecord.latest().channels()) {
      if (namespace.isEmpty() && isState(channel)) {
        versions.put(channel.name(), channel.version());
      } else {
        channels.add(isConversation(threadRecord, channel) ? emptied(channel) : channel);
      }
    }
    var inside = new LinkedHashMap<String, EnginePosition>();
    for (var task : at.tasks()) {
      if (isFinished(threadRecord, task) || store.latest(new Lineage(thread, task)).isEmpty())
        continue;
      inside.put(task, level(task));
    }
    return new EnginePosition(
        at.id(),
        Optional.of(at.generation()),
        at.step(),
        at.source(),
        at.at(),
        at.run(),
        at.graph(),
        at.graphHash(),
        ProgressRecord.of(at.progress()),
        at.metadata(),
        versions,
        channels,
        threadRecord.tasks(),
        threadRecord.steps(),
        threadRecord.answers(),
        inside);
  }

  /// Returns whether the channel holds a state of the flow, not an internal value of the engine or
  /// the flow.
  private static boolean isState(SavedChannel channel) {
    return !Lowering.isCount(channel.name()) && !channel.name().equals(Progress.CHANNEL);
  }

  /// Returns whether the task has finished; it does not read the graph inside it any more.
  private static boolean isFinished(ThreadRecord threadRecord, String task) {
    return threadRecord.tasks().stream().anyMatch(t -> t.task().equals(task) && t.isFinal());
  }

  private ThreadRecord threadRecord(String namespace) {
    return CombinedCalls.of(store).threadRecord(new Lineage(thread, namespace)).orElseThrow();
  }

  private static boolean isConversation(ThreadRecord threadRecord, SavedChannel channel) {
    return channel.name().equals(MESSAGES) && isAgent(threadRecord.latest().channels());
  }

  private static boolean isAgent(List<SavedChannel> channels) {
    return channels.stream().anyMatch(channel -> channel.name().equals(PROGRESS));
  }

  private static SavedChannel emptied(SavedChannel channel) {
    return new SavedChannel(channel.name(), channel.version(), new Content.Items(List.of()));
  }

  /// All conversations of the thread, also those of agents that have finished.
  FlowHistory history() {
    var all = new ArrayList<FlowHistory.Conversation>();
    collect("", all);
    return new FlowHistory(all);
  }

  private void collect(String namespace, List<FlowHistory.Conversation> all) {
    var checkpoints = new ArrayList<Checkpoint>();
    var before = Optional.<String>empty();
    var page = store.page(new Lineage(thread, namespace), before, PAGE);
    while (!page.isEmpty()) {
      checkpoints.addAll(page);
      before = Optional.of(page.getLast().id());
      page = store.page(new Lineage(thread, namespace), before, PAGE);
    }
    for (var checkpoint : checkpoints.reversed()) {
      for (var task : checkpoint.tasks()) addConversation(task, all);
    }
  }

  private void addConversation(String task, List<FlowHistory.Conversation> all) {
    var inside = store.latest(new Lineage(thread, task));
    if (inside.isEmpty()) return;
    var agent = inside.get().checkpoint().graph();
    for (var channel : inside.get().channels()) {
      if (!channel.name().equals(MESSAGES) || !isAgent(inside.get().channels())) continue;
      if (!(channel.content() instanceof Content.Items(var items))) continue;
      var messages = items.stream().<Message>map(FlowHistory::message).toList();
      all.add(new FlowHistory.Conversation(agent, task, messages));
    }
    collect(task, all);
  }

  // --- In ---

  /// Deletes what the thread has.
  void clear() {
    var removal =
        CheckpointerCapability.required(
            store,
            CheckpointerCapability.ThreadRemoval.class,
            "Putting a flow's snapshot into place");
    removal.delete(store.acquire(thread, "flow snapshot", LEASE));
  }

  /// Puts a snapshot into a thread that has nothing yet.
  ///
  /// @param shape of the flow's graph, as JSON
  /// @throws FlowError.SnapLoadError if the thread has something
  void put(FlowSnapshot.Form form, FlowHistory history, String shape) {
    var lease = store.acquire(thread, "flow snapshot", LEASE);
    try {
      var channels = new ArrayList<ChannelChange>();
      form.at()
          .versions()
          .forEach((key, version) -> {
            var value = form.states().get(key);
            channels.add(
                new ChannelChange(
                    key,
                    version,
                    value == null
                        ? new ChannelChange.Change.Cleared()
                        : new ChannelChange.Change.Whole(value)));
          });
      var into = new Into(lease, history);
      putInside(into, form.at());
      commit(into, "", form.at(), channels, Optional.of(shape));
    } finally {
      store.release(lease);
    }
  }

  /// Where it is put, and what was said.
  private record Into(Lease lease, FlowHistory history) {}

  private void putInside(Into into, EnginePosition around) {
    around
        .inside()
        .forEach((task, position) -> {
          putInside(into, position);
          commit(into, task, position, List.of(), Optional.empty());
        });
  }

  private void commit(
      Into into,
      String namespace,
      EnginePosition position,
      List<ChannelChange> states,
      Optional<String> shape) {
    var changes = new ArrayList<>(states);
    for (var channel : position.channels()) {
      changes.add(change(position, channel, namespace, into.history()));
    }
    var commit =
        new Commit(
            new Lineage(thread, namespace),
            position.checkpoint(Checkpoint.FORMAT),
            changes,
            position.tasks(),
            position.steps(),
            List.of(),
            position.answers(),
            List.of(),
            shape);
    if (store.commit(into.lease(), commit)) return;
    throw new FlowError.SnapLoadError("thread `" + thread + "` is not empty.", null);
  }

  private static ChannelChange change(
      EnginePosition position, SavedChannel channel, String task, FlowHistory history) {
    var change =
        switch (channel.content()) {
          case Content.Whole(var json) -> new ChannelChange.Change.Whole(json);
          case Content.Items(var items) -> {
            boolean isSaid = channel.name().equals(MESSAGES) && isAgent(position.channels());
            var said = isSaid ? history.of(task) : Optional.<FlowHistory.Conversation>empty();
            var all = said.map(FlowHistory.Conversation::items).orElse(items);
            yield new ChannelChange.Change.Items(0, all);
          }
          case Content.Cleared() -> new ChannelChange.Change.Cleared();
        };
    return new ChannelChange(channel.name(), channel.version(), change);
  }

  /// Returns the unfinished agents of a snapshot, whose conversations are needed to continue.
  static List<String> agents(EnginePosition position) {
    return position.inside().entrySet().stream()
        .flatMap(e ->
            Stream.concat(
                isAgent(e.getValue().channels()) ? Stream.of(e.getKey()) : Stream.of(),
                agents(e.getValue()).stream()))
        .toList();
  }
}
