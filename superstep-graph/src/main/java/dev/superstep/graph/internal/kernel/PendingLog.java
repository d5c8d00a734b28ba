package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.error.CorruptThread;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The stored form of everything that waits beyond the next superstep: deferred tasks, arrivals at
/// joins, versions that gates saw. While it is small it is part of each checkpoint. Beyond that it
/// is a list channel of the engine's own, [Progress#CHANNEL], to which each checkpoint adds its
/// changes; when the list has grown much longer than its content, it is written again from the
/// start. So writing costs O(changes), amortised, and reading O(number that waits).
///
/// Safe for many threads; what is written to one lineage passes through one object.
public final class PendingLog {
  // Of JSON, about; so small a part of a checkpoint costs less than rows of its own.
  private static final int SMALL_MAX = 2_000;
  // The approximate JSON around names and numbers.
  private static final int TASK_SIZE = 100;
  private static final int JOIN_SIZE = 80;
  private static final int NAME_SIZE = 4;
  private static final int VERSION_SIZE = 12;

  private static final Codec<List<Entry>> ENTRIES = Codec.listOf(Entry.class);
  private static final Snapshot.Position NOTHING =
      new Snapshot.Position(
          Snapshot.Begin.NOWHERE, 0, List.of(), DeferredTasks.NONE, Snapshot.Marks.NONE);

  // As it was written last.
  private Snapshot.Position base = NOTHING;
  private final Sizes sizes = new Sizes();
  // Of the list; 0 while it is a part of the checkpoints.
  private int items;
  private long length;
  private final Map<String, Integer> joins = new HashMap<>();

  /// The changes, in order.
  sealed interface Entry {
    /// Those of plain nodes take the place of ones that are there.
    record Held(List<PendingNode> tasks) implements Entry {}

    /// No task is deferred any more.
    record Released() implements Entry {}

    /// A join that is named by a number from here on, for its name names all its sources.
    record Join(int number, String name) implements Entry {}

    record Arrived(int join, List<String> nodes) implements Entry {}

    /// No node has arrived at it any more.
    record Left(int join) implements Entry {}

    /// Versions of channels, by node.
    record Saw(Map<String, Map<String, Long>> versions) implements Entry {}
  }

  /// The approximate length in JSON.
  private static final class Sizes {
    private long held;
    private long arrived;
    private long seen;

    long sum() {
      return held + arrived + seen;
    }

    void clear() {
      held = 0;
      arrived = 0;
      seen = 0;
    }
  }

  /// The stored form of a new snapshot's progress.
  public record Written(Progress progress, List<ChannelChange> changes) {}

  /// From here on, differences are to this.
  public synchronized void loaded(Saved saved, Snapshot.Position position) {
    forget();
    var content = list(saved);
    if (content != null) {
      items = content.size();
      for (var item : content) {
        length += item.text().length();
        for (var entry : ENTRIES.decode(item)) {
          if (entry instanceof Entry.Join(var number, var name)) joins.put(name, number);
        }
      }
    }
    if (isWaiting(position)) new Difference(NOTHING, position, new HashMap<>()).entries();
    base = position;
  }

  /// Returns whether anything waits beyond the next superstep.
  private static boolean isWaiting(Snapshot.Position position) {
    var marks = position.marks();
    return !position.deferred().isEmpty() || !marks.arrived().isEmpty() || !marks.seen().isEmpty();
  }

  private void forget() {
    base = NOTHING;
    sizes.clear();
    items = 0;
    length = 0;
    joins.clear();
  }

  /// The progress of a new snapshot as it is stored, with the changes to what waits.
  ///
  /// @param before what the new snapshot was made from
  public synchronized Written next(Snapshot before, Snapshot next) {
    var parent = before.position().checkpoint();
    boolean isUnknown = !parent.equals(base.checkpoint());
    // An unknown parent may have a list.
    boolean isList = items > 0 || (isUnknown && !parent.isEmpty());
    if (isUnknown) forget();
    var position = next.position();
    var rest = CheckpointCodec.progress(position.due(), position.marks());
    if (!isList && !isWaiting(base) && !isWaiting(position)) {
      base = position;
      return new Written(rest, List.of());
    }
    var entries = new Difference(base, position, joins).entries();
    base = position;
    if (isSmall(position)) {
      items = 0;
      length = 0;
      joins.clear();
      var changes = isList ? List.of(change(next, new Change.Cleared())) : List.<ChannelChange>of();
      return new Written(with(rest, position), changes);
    }
    return new Written(rest, written(next, entries));
  }

  private boolean isSmall(Snapshot.Position position) {
    // So that what is near the limit does not go back and forth.
    int most = items == 0 ? SMALL_MAX : SMALL_MAX / 2;
    // A store looks at those in its checkpoints.
    return sizes.sum() <= most || position.deferred().hasInheritedIds();
  }

  private List<ChannelChange> written(Snapshot next, @Nullable List<Entry> entries) {
    if (items > 0 && entries != null) {
      if (entries.isEmpty()) return List.of();
      var item = ENTRIES.encode(entries);
      length += item.text().length();
      if (length <= 2 * sizes.sum() + SMALL_MAX) {
        return List.of(change(next, new Change.Items(items++, List.of(item))));
      }
    }
    joins.clear();
    sizes.clear();
    var all = new Difference(NOTHING, next.position(), joins).entries();
    var item = ENTRIES.encode(all == null ? List.of() : all);
    items = 1;
    length = item.text().length();
    return List.of(change(next, new Change.Items(0, List.of(item))));
  }

  private static ChannelChange change(Snapshot next, Change change) {
    return new ChannelChange(Progress.CHANNEL, next.step() + 1L, change);
  }

  private static Progress with(Progress rest, Snapshot.Position position) {
    if (!isWaiting(position)) return rest;
    var marks = position.marks();
    var held = position.deferred().all().stream().map(PendingTask::stored).toList();
    return new Progress(
        rest.next(),
        held,
        marks.arrived(),
        marks.seen(),
        rest.ran(),
        rest.chosen(),
        rest.memories(),
        rest.origin());
  }

  /// All of it in one piece.
  public static Progress whole(Snapshot.Position position) {
    return with(CheckpointCodec.progress(position.due(), position.marks()), position);
  }

  // --- Writing ---

  /// The changes that turn one position into another. Also measures the second position.
  private final class Difference {
    private final Snapshot.Position before;
    private final Snapshot.Position after;
    private final Map<String, Integer> numbers;
    private final List<Entry> entries = new ArrayList<>();
    private boolean isTold = true;

    Difference(Snapshot.Position before, Snapshot.Position after, Map<String, Integer> numbers) {
      this.before = before;
      this.after = after;
      this.numbers = numbers;
    }

    /// @return null if the changes cannot be expressed
    @Nullable List<Entry> entries() {
      held();
      arrived();
      seen();
      return isTold ? entries : null;
    }

    @SuppressWarnings("ReferenceEquality") // what is shared is one object
    private void arrived() {
      if (before.arrived() == after.arrived()) return;
      PersistentMap.changes(before.arrived(), after.arrived(), new Arriving());
    }

    @SuppressWarnings("ReferenceEquality") // what is shared is one object
    private void seen() {
      if (before.marks().seen() == after.marks().seen()) return;
      var seeing = new Seeing();
      PersistentMap.changes(before.marks().seen(), after.marks().seen(), seeing);
      if (!seeing.saw.isEmpty()) entries.add(new Entry.Saw(seeing.saw));
    }

    @SuppressWarnings("ReferenceEquality") // what is shared is one object
    private void held() {
      if (before.deferred() == after.deferred()) return;
      var added = new ArrayList<PendingNode>();
      if (!after.deferred().additions(before.deferred(), due -> added.add(due.stored()))) {
        added.clear();
        sizes.held = 0;
        entries.add(new Entry.Released());
        for (var due : after.deferred()) added.add(due.stored());
      }
      for (var task : added) {
        sizes.held += TASK_SIZE + task.argument().map(json -> json.text().length()).orElse(0);
      }
      if (!added.isEmpty()) entries.add(new Entry.Held(added));
    }

    private int number(String join) {
      var known = numbers.get(join);
      if (known != null) return known;
      int number = numbers.size();
      numbers.put(join, number);
      entries.add(new Entry.Join(number, join));
      return number;
    }

    private static long size(Iterable<String> names, int each) {
      long size = 0;
      for (var name : names) size += name.length() + each;
      return size;
    }

    private final class Arriving implements PersistentMap.Changes<String, Set<String>> {
      @Override
      public void put(String join, @Nullable Set<String> old, Set<String> now) {
        int number = number(join);
        var added = new ArrayList<String>();
        if (old != null && !PersistentSet.additions(old, now, added::add)) {
          removed(join, old);
          added.clear();
          added.addAll(now);
        }
        if (old == null) added.addAll(now);
        // Its name counts once, whatever is added later.
        boolean isBegun = old != null && added.size() < now.size();
        if (!isBegun) sizes.arrived += join.length() + JOIN_SIZE;
        sizes.arrived += size(added, NAME_SIZE);
        if (!added.isEmpty()) entries.add(new Entry.Arrived(number, added));
      }

      @Override
      public void removed(String join, Set<String> old) {
        sizes.arrived -= join.length() + JOIN_SIZE + size(old, NAME_SIZE);
        entries.add(new Entry.Left(number(join)));
      }
    }

    private final class Seeing implements PersistentMap.Changes<String, Map<String, Long>> {
      private final Map<String, Map<String, Long>> saw = new LinkedHashMap<>();

      @Override
      public void put(String node, @Nullable Map<String, Long> old, Map<String, Long> now) {
        if (old == null) {
          sizes.seen += node.length() + VERSION_SIZE + size(now.keySet(), VERSION_SIZE);
          saw.put(node, now);
          return;
        }
        // Its gate is another one now.
        if (!old.keySet().equals(now.keySet())) isTold = false;
        var changed = new LinkedHashMap<String, Long>();
        now.forEach((channel, version) -> {
          if (!version.equals(old.get(channel))) changed.put(channel, version);
        });
        if (!changed.isEmpty()) saw.put(node, changed);
      }

      @Override
      public void removed(String node, Map<String, Long> old) {
        isTold = false;
      }
    }
  }

  // --- Reading ---

  private static @Nullable List<Json> list(Saved saved) {
    for (var channel : saved.channels()) {
      if (!channel.name().equals(Progress.CHANNEL)) continue;
      return channel.content() instanceof Content.Items(var items) ? items : null;
    }
    return null;
  }

  /// Returns the progress of a run, in one piece, whatever the form in which it was written.
  public static Progress progress(Saved saved) {
    var rest = saved.checkpoint().progress();
    var content = list(saved);
    if (content == null) return rest;
    var read = new Reading();
    for (var item : content) for (var entry : ENTRIES.decode(item)) read.add(entry);
    var held = new ArrayList<>(read.plain.values());
    held.addAll(read.sent);
    return new Progress(
        rest.next(),
        held,
        read.arrived,
        read.seen,
        rest.ran(),
        rest.chosen(),
        rest.memories(),
        rest.origin());
  }

  private static final class Reading {
    private final Map<String, PendingNode> plain = new LinkedHashMap<>();
    private final List<PendingNode> sent = new ArrayList<>();
    private final Map<Integer, String> joins = new HashMap<>();
    private final Map<String, Set<String>> arrived = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> seen = new LinkedHashMap<>();

    void add(Entry entry) {
      switch (entry) {
        case Entry.Held(var tasks) -> {
          for (var task : tasks) {
            if (task.argument().isPresent()) sent.add(task);
            else plain.put(task.node(), task);
          }
        }
        case Entry.Released() -> {
          plain.clear();
          sent.clear();
        }
        case Entry.Join(var number, var name) -> joins.put(number, name);
        case Entry.Arrived(var join, var nodes) ->
            arrived.computeIfAbsent(name(join), _ -> new LinkedHashSet<>()).addAll(nodes);
        case Entry.Left(var join) -> arrived.remove(name(join));
        case Entry.Saw(var all) ->
            all.forEach((node, versions) ->
                seen.computeIfAbsent(node, _ -> new LinkedHashMap<>()).putAll(versions));
      }
    }

    private String name(int join) {
      var name = joins.get(join);
      if (name == null) throw new CorruptThread("what waits names an unknown join " + join);
      return name;
    }
  }
}
