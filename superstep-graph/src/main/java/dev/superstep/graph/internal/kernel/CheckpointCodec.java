package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.CorruptThread;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ReducerFailed;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.state.Channel;
import dev.superstep.state.Items;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns the engine's values into their stored form and back, by the codecs of one graph's channels
/// and targets. Immutable.
public final class CheckpointCodec {
  // More than any thread lives to see, and still far from an overflow.
  private static final int STEPS_MAX = 1_000_000_000;

  // A thread that was taken back to before its first input.
  private static final int BEFORE_INPUT = -1;

  private static final int WHY_MAX = 1024 * 1024;

  private final CompiledGraph graph;

  public CheckpointCodec(CompiledGraph graph) {
    this.graph = graph;
  }

  /// Encodes the pending tasks and how they came to be pending, without deferred tasks, arrivals
  /// and gate versions.
  static Progress progress(List<PendingTask> due, Snapshot.Marks marks) {
    if (due.size() == 1) return progress(due.getFirst(), marks);
    return progress(each(due, PendingTask::stored), marks.ran(), marks.chosen(), marks.memories());
  }

  @SuppressWarnings("ReferenceEquality") // equal parts would do, and are slower to compare
  private static Progress progress(PendingTask due, Snapshot.Marks marks) {
    var last = due.node().lastProgress();
    boolean isSame =
        last != null
            && last.next().getFirst() == due.stored()
            && last.ran() == marks.ran()
            && last.chosen() == marks.chosen()
            && last.memories() == marks.memories();
    if (last != null && isSame) return last;
    var next = List.of(due.stored());
    var progress = progress(next, marks.ran(), marks.chosen(), marks.memories());
    // Others are rarely met again, and may hold much.
    if (due.node().isLast(due)) due.node().lastProgress(progress);
    return progress;
  }

  private static Progress progress(
      List<PendingNode> next,
      List<String> ran,
      Map<String, List<String>> chosen,
      Memories memories) {
    return new Progress(
        next, List.of(), Map.of(), Map.of(), ran, chosen, memories, Optional.empty());
  }

  /// Mostly of one.
  private static <T, R> List<R> each(List<T> all, Function<T, R> form) {
    return switch (all.size()) {
      case 0 -> List.of();
      case 1 -> List.of(form.apply(all.getFirst()));
      default -> all.stream().map(form).toList();
    };
  }

  /// Encodes the changes that a superstep made to the stored channels.
  public static List<ChannelChange> changes(Kernel.Applied applied, ValueForm form) {
    var next = applied.next();
    var changes = new ArrayList<ChannelChange>();
    for (var change : applied.changes()) {
      if (next.index().channel(change.place()).isTracked()) changes.add(change(next, change, form));
    }
    return changes;
  }

  /// The snapshot as it would be read: without what is never stored.
  public static Snapshot withoutUnstored(Snapshot at) {
    var index = at.index();
    if (index.declared().stream().allMatch(Channel::isTracked)) return at;
    var initial = Snapshot.initial(index);
    var cells = at.copyCells();
    for (int place = 0; place < index.size(); place++) {
      if (index.channel(place).isTracked()) continue;
      cells.put(place, initial.value(place), 0);
    }
    return new Snapshot(index, cells, at.position());
  }

  /// Encodes the change that a fold made to one channel: the whole value, or only what was added.
  static ChannelChange change(Snapshot next, Folding.Changed changed, ValueForm form) {
    if (changed.cleared()) {
      var name = next.index().channel(changed.place()).name();
      var version = next.version(changed.place());
      return new ChannelChange(name, version, new ChannelChange.Change.Cleared());
    }
    return change(next.index().channel(changed.place()), next, changed, form);
  }

  private static <V> ChannelChange change(
      Channel<V, ?> channel, Snapshot next, Folding.Changed changed, ValueForm form) {
    @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
    var value = (V) Objects.requireNonNull(next.value(changed.place()));
    var items = channel.items();
    ChannelChange.Change change =
        items.isPresent()
            ? new ChannelChange.Change.Items(
                changed.kept(), items(channel, items.get().encode(value, changed.kept()), form))
            : new ChannelChange.Change.Whole(
                form.ofFold(channel.values().encodeLazily(value), "channel", channel.name()));
    return new ChannelChange(channel.name(), next.version(changed.place()), change);
  }

  private static List<Json> items(Channel<?, ?> channel, List<Json> items, ValueForm form) {
    for (var item : items) {
      var _ = form.ofFold(item, "item of channel", channel.name());
    }
    return items;
  }

  /// Encodes the values of the channels, by name; without those that are empty or never stored.
  public static Map<String, Json> values(Snapshot at) {
    var values = new LinkedHashMap<String, Json>();
    for (var channel : at.index().declared()) {
      if (channel.isTracked()) encode(channel, at).ifPresent(v -> values.put(channel.name(), v));
    }
    return values;
  }

  private static <V> Optional<Json> encode(Channel<V, ?> channel, Snapshot at) {
    return at.find(channel).map(channel.values()::encode);
  }

  public Snapshot snapshot(Saved saved) {
    var index = graph.index();
    var initial = Snapshot.initial(index);
    var cells = initial.copyCells();
    for (var kept : saved.channels()) {
      if (kept.name().equals(Progress.CHANNEL)) continue;
      // A channel that was dropped leaves this behind.
      if (kept.content() instanceof SavedChannel.Content.Cleared
          && graph.index().channel(kept.name()) == null) {
        continue;
      }
      var channel = channel(kept.name());
      int place = index.place(channel);
      cells.put(place, value(channel, kept.content()), kept.version());
    }
    return new Snapshot(index, cells, position(saved));
  }

  private Snapshot.Position position(Saved saved) {
    var checkpoint = saved.checkpoint();
    if (checkpoint.step() < BEFORE_INPUT || checkpoint.step() > STEPS_MAX) {
      throw new CorruptThread("it is after superstep " + checkpoint.step());
    }
    var progress = PendingLog.progress(saved);
    var due = each(progress.next(), this::due);
    var deferred = DeferredTasks.of(each(progress.held(), this::due));
    var marks =
        new Snapshot.Marks(
            progress.arrived(),
            progress.seen(),
            progress.ran(),
            progress.chosen(),
            progress.memories());
    graph.executionGraph().check(marks);
    return new Snapshot.Position(
        new Snapshot.Begin(checkpoint.id(), checkpoint.generation()),
        checkpoint.step(),
        due,
        deferred,
        marks);
  }

  private PendingTask due(PendingNode scheduled) {
    var node = graph.executionGraph().node(scheduled.node());
    if (node == null) throw new CorruptThread("node `" + scheduled.node() + "` is unknown");
    Object argument = null;
    if (node.body() instanceof NodeBody.OnArgument<?> body) {
      var json =
          scheduled
              .argument()
              .orElseThrow(() -> new CorruptThread("node `" + node.name() + "` has no argument"));
      argument = body.target().codec().decode(json);
    }
    for (var name : Triggers.tokens(scheduled.activation())) {
      if (!channel(name).reducer().isConsumed()) {
        throw new CorruptThread("channel `" + name + "` triggers nothing");
      }
    }
    return PendingTask.of(node, scheduled, argument);
  }

  public static TaskRecord.End end(TaskResult end, ValueForm form) {
    return switch (end) {
      case TaskResult.Finished finished ->
          finished.next() instanceof Next.Leave leave
              ? HandOffs.stored(finished, leave, form)
              : finished(finished, form);
      case TaskResult.Waiting(var wait) -> new TaskRecord.End.Waiting(wait.questions());
      case TaskResult.Failed(var error) ->
          new TaskRecord.End.Failed(
              error instanceof SuperstepException e ? e.code() : error.getClass().getName(),
              shortened(NodeFailed.why(error)));
    };
  }

  /// Shortens the message of a failure, which must fit into a store however long it is.
  private static String shortened(String why) {
    return why.length() <= WHY_MAX ? why : why.substring(0, WHY_MAX) + " ...";
  }

  public static TaskRecord.End.Finished finished(TaskResult.Finished end, ValueForm form) {
    var named = end.next() instanceof Next.Goto go ? go : null;
    return new TaskRecord.End.Finished(
        WriteCodec.encode(end.writes(), form),
        named == null ? Optional.empty() : Optional.of(named.nodes()),
        named == null ? List.of() : named.sends().stream().map(CheckpointCodec::send).toList(),
        Optional.ofNullable(end.signal()),
        Optional.ofNullable(end.asked()),
        Optional.ofNullable(end.left()));
  }

  public TaskResult.Finished restored(TaskRecord.End.Finished end) {
    return new TaskResult.Finished(
        restored(end.writes()), next(end), end.signal().orElse(null), end.left().orElse(null));
  }

  private Next next(TaskRecord.End.Finished end) {
    if (end.asked().isPresent()) return new Next.Ask(end.asked().get());
    if (end.gotos().isEmpty()) return Next.EDGES;
    var sends = new ArrayList<Send<?>>();
    for (var send : end.sends()) sends.add(send(send));
    return new Next.Goto(end.gotos().get(), sends);
  }

  List<Write> restored(List<TaskRecord.SavedWrite> saved) {
    var writes = new ArrayList<Write>(saved.size());
    for (var write : saved) writes.add(WriteCodec.decode(channel(write.channel()), write));
    return writes;
  }

  private Send<?> send(TaskRecord.SavedSend send) {
    var node = graph.executionGraph().node(send.node());
    if (node != null && node.body() instanceof NodeBody.OnArgument<?> body) {
      return send(body.target(), send);
    }
    throw new CorruptThread("node `" + send.node() + "` takes no argument");
  }

  private static <A> Send<A> send(Target<A> target, TaskRecord.SavedSend send) {
    return new Send<>(target, target.codec().decode(send.argument()), send.timeout());
  }

  private static <A> TaskRecord.SavedSend send(Send<A> send) {
    var json = PendingTask.encoded(send.target(), send.argument());
    return new TaskRecord.SavedSend(send.target().name(), json, send.timeout());
  }

  private static <V> @Nullable Object value(Channel<V, ?> channel, SavedChannel.Content content) {
    return switch (content) {
      case SavedChannel.Content.Whole(var json) ->
          whole(channel, channel.reducer().adopt(channel.values().decode(json)));
      case SavedChannel.Content.Items(var items) ->
          channel
              .items()
              .map(form -> decoded(channel, form, items))
              .orElseThrow(() -> new CorruptThread("`" + channel.name() + "` is not a list"));
      case SavedChannel.Content.Cleared() -> channel.reducer().initial();
    };
  }

  /// Marks a value that may have been stored in one piece, although its channel is now stored item
  /// by item.
  private static <V> V whole(Channel<V, ?> channel, V value) {
    return channel.items().map(form -> form.unstored(value)).orElse(value);
  }

  private static <V> V decoded(Channel<V, ?> channel, Items<V> form, List<Json> items) {
    try {
      return form.decode(items);
    } catch (SuperstepException e) {
      throw e;
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      // A delta folds what it reads, by a function of the user's.
      if (channel.reducer().isReadDerived()) throw new ReducerFailed(channel.name(), e);
      throw new CorruptThread("channel `" + channel.name() + "` cannot be read: " + e.getMessage());
    }
  }

  private Channel<?, ?> channel(String name) {
    var channel = graph.index().channel(name);
    if (channel == null) throw new CorruptThread("channel `" + name + "` is unknown");
    return channel;
  }
}
