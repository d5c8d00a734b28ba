package dev.superstep.checkpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The content of one thread: its lease, its lineages and its journal. Guarded by its own monitor.
final class MemoryThread {
  private Map<String, MemoryLineage> lines = Map.of();
  private List<Entry> journal = List.of();
  private long lastOffset;
  // Of the newest lease; 0 if there never was one.
  private long token;
  // Until it is given back.
  private @Nullable String owner;
  private Instant until = Instant.MIN;
  private boolean cancelled;
  private @Nullable String binding;

  Lease acquire(Lease next, Instant now, Duration time) {
    var holder = holder(now);
    if (holder.isPresent()) {
      throw new ThreadBusy(next.thread(), holder.get().owner(), holder.get().until());
    }
    token = next.token();
    owner = next.owner();
    until = now.plus(time);
    cancelled = false;
    return next;
  }

  boolean renew(Lease lease, Instant now, Duration time) {
    owner = lease.owner();
    until = now.plus(time);
    return cancelled;
  }

  void release() {
    owner = null;
    until = Instant.MIN;
  }

  /// A holder whose time is over may still be at work, and learns of it when it renews.
  boolean requestCancel() {
    if (owner == null) return false;
    cancelled = true;
    return true;
  }

  boolean breakLease(long next) {
    if (owner == null) return false;
    token = next;
    release();
    return true;
  }

  boolean isHeldBy(Lease shown) {
    return owner != null && token == shown.token();
  }

  /// The newest token, if its lease was given back.
  Optional<Long> idleToken() {
    return owner == null ? Optional.of(token) : Optional.empty();
  }

  Optional<ThreadSummary.Holder> holder(Instant now) {
    if (owner == null || !until.isAfter(now)) return Optional.empty();
    return Optional.of(new ThreadSummary.Holder(owner, until));
  }

  ThreadBinding binding() {
    return new ThreadBinding(Optional.ofNullable(binding), isBare());
  }

  /// Stores the text of a checkpointer around this one.
  ///
  /// @return what it was before
  Optional<String> bind(String next) {
    var before = Optional.ofNullable(binding);
    binding = next;
    return before;
  }

  /// The line of a lineage, made if it is missing.
  MemoryLineage line(Lineage lineage) {
    return line(lineage.namespace());
  }

  private MemoryLineage line(String namespace) {
    var known = lines.get(namespace);
    if (known != null) return known;
    var made = new MemoryLineage();
    lines = MemoryTaskRecords.with(lines, namespace, made);
    return made;
  }

  Optional<MemoryLineage> find(Lineage lineage) {
    return Optional.ofNullable(lines.get(lineage.namespace()));
  }

  Optional<MemoryLineage.Point> head() {
    return Optional.ofNullable(lines.get("")).flatMap(MemoryLineage::head);
  }

  boolean isEmpty() {
    return lines.values().stream().allMatch(line -> line.head().isEmpty());
  }

  /// Returns whether the thread can be forgotten without losing anything.
  boolean isBare() {
    var own = lines.get("");
    if (lastOffset > 0 || (own != null && !own.isBare())) return false;
    return lines.values().stream().allMatch(MemoryLineage::isBare);
  }

  Set<String> runs() {
    var runs = new HashSet<String>();
    for (var line : lines.values()) {
      for (var point : line.newestFirst()) runs.add(point.run());
    }
    return runs;
  }

  // --- The journal ---

  void append(List<Entry> entries) {
    if (journal.isEmpty() && !entries.isEmpty()) journal = new ArrayList<>();
    for (var entry : entries) journal.add(entry.at(++lastOffset));
  }

  List<Entry> entries(long after, int limit, EntryFilter filter) {
    // Those of a run that was deleted are missing, so an offset does not tell the index.
    int low = 0;
    int high = journal.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (journal.get(middle).offset() <= after) low = middle + 1;
      else high = middle;
    }
    return journal.subList(low, journal.size()).stream()
        .filter(filter::wants)
        .limit(limit)
        .toList();
  }

  long lastOffset() {
    return lastOffset;
  }

  int trim(long through) {
    int before = journal.size();
    removeEntries(entry -> entry.offset() <= through);
    return before - journal.size();
  }

  private void removeEntries(Predicate<Entry> gone) {
    journal = new ArrayList<>(journal);
    journal.removeIf(gone);
  }

  // --- Going back, and removing ---

  /// Returns the memories of subgraphs at the time when a checkpoint of the thread's graph was
  /// made.
  Map<String, MemoryLineage.Point> memories(long sequence) {
    var memories = new LinkedHashMap<String, MemoryLineage.Point>();
    lines.forEach((namespace, line) -> {
      if (!isNamedByPath(namespace)) return;
      line.asOf(sequence).ifPresent(point -> memories.put(namespace, point));
    });
    return memories;
  }

  void rewindMemories(Map<String, MemoryLineage.Point> memories, long sequence) {
    lines.forEach((namespace, line) -> {
      if (isNamedByPath(namespace)) line.rewind(memories.get(namespace), sequence);
    });
  }

  void addMemories(Map<String, MemoryLineage.Point> memories, LongSupplier sequence) {
    memories.forEach((namespace, point) -> {
      var line = line(namespace);
      if (line.head().isPresent()) return;
      line.add(point.apart(sequence.getAsLong()));
    });
  }

  private static boolean isNamedByPath(String namespace) {
    return lineage(namespace).isNamedByPath();
  }

  private static boolean isRemembered(String namespace) {
    return lineage(namespace).isRemembered();
  }

  private static Lineage lineage(String namespace) {
    return new Lineage("any", namespace);
  }

  /// The lines for another thread, in places after all that are taken.
  Map<String, MemoryLineage> copyOfLines(LongSupplier sequence) {
    var places = new TreeMap<Long, Long>();
    for (var line : lines.values()) for (var old : line.sequences()) places.put(old, 0L);
    places.replaceAll((_, _) -> sequence.getAsLong());
    var copies = new LinkedHashMap<String, MemoryLineage>();
    lines.forEach((namespace, line) -> copies.put(namespace, line.copy(places::get)));
    return copies;
  }

  void addLines(Map<String, MemoryLineage> others) {
    // Records saved ahead of their checkpoint are replaced.
    lines = others;
  }

  void clear() {
    lines = Map.of();
    journal = List.of();
    token = 0;
    owner = null;
    binding = null;
  }

  int deleteRun(String run, Set<Memory> needed) {
    int own = 0;
    var gone = new ArrayList<MemoryLineage.Point>();
    var named = named((_, point) -> !point.run().equals(run), needed);
    for (var entry : lines.entrySet()) {
      var name = entry.getKey();
      var removed =
          entry
              .getValue()
              .remove(point ->
                  point.run().equals(run) && !named.contains(new Memory(name, point.id())));
      if (name.isEmpty()) own += removed.size();
      gone.addAll(removed);
    }
    removeInside(gone, named);
    removeEntries(entry -> entry.run().equals(run));
    lines.values().removeIf(line -> line.newestFirst().isEmpty());
    return own;
  }

  int prune(Prune prune) {
    var stays = new HashMap<String, Set<MemoryLineage.Point>>();
    lines.forEach((name, line) -> stays.put(name, staying(name, line, prune)));
    var named =
        named((name, point) -> stays.getOrDefault(name, Set.of()).contains(point), prune.needed());
    var gone = new ArrayList<MemoryLineage.Point>();
    for (var entry : lines.entrySet()) {
      var name = entry.getKey();
      var kept = stays.getOrDefault(name, Set.of());
      gone.addAll(
          entry
              .getValue()
              .remove(p -> !kept.contains(p) && !named.contains(new Memory(name, p.id()))));
    }
    return gone.size() + removeInside(gone, named);
  }

  /// Returns the checkpoints of a line that stay whatever other checkpoints name: in a lasting line
  /// the newest one, as many of the last added as are to be retained, and those that are not old;
  /// in any other line all.
  private static Set<MemoryLineage.Point> staying(String name, MemoryLineage line, Prune prune) {
    var all = line.newestFirst();
    if (!name.isEmpty() && !isRemembered(name)) return new HashSet<>(all);
    var stays = new HashSet<>(all.subList(0, Math.min(prune.keep(), all.size())));
    line.head().ifPresent(stays::add);
    if (prune.before().isEmpty()) return stays;
    for (var point : all) {
      if (!point.checkpoint().at().isBefore(prune.before().get())) stays.add(point);
    }
    return stays;
  }

  /// The memories that checkpoints name, and those that these name.
  ///
  /// @param which checkpoints name any, by the namespaces of their lines
  private Set<Memory> named(BiPredicate<String, MemoryLineage.Point> which, Set<Memory> needed) {
    var named = new HashSet<Memory>();
    var open = new ArrayDeque<>(needed);
    lines.forEach((name, line) -> {
      for (var point : line.newestFirst()) {
        if (which.test(name, point)) open.addAll(memories(point));
      }
    });
    while (!open.isEmpty()) {
      var memory = open.remove();
      var line = lines.get(memory.namespace());
      if (!named.add(memory) || line == null) continue;
      line.point(memory.checkpoint()).ifPresent(point -> open.addAll(memories(point)));
    }
    return named;
  }

  private static Collection<Memory> memories(MemoryLineage.Point point) {
    return point.progress().memories().left().values();
  }

  /// Removes the lineages of subgraphs inside tasks of deleted checkpoints, unless a remaining
  /// checkpoint has the task, too, or names the memory that it left.
  private int removeInside(List<MemoryLineage.Point> points, Set<Memory> named) {
    lines = new LinkedHashMap<>(lines);
    var remembered = named.stream().map(Memory::namespace).collect(Collectors.toSet());
    var gone = new ArrayList<>(points);
    boolean isMore = true;
    while (isMore) {
      var left = Tasks.of(lines.values().stream().flatMap(line -> line.newestFirst().stream()));
      var ended = Tasks.of(gone.stream());
      var inside =
          lines.keySet().stream()
              .filter(n -> ended.have(n) && !left.have(n) && !remembered.contains(n))
              .toList();
      for (var namespace : inside) {
        gone.addAll(Objects.requireNonNull(lines.get(namespace)).remove(_ -> true));
        lines.remove(namespace);
      }
      isMore = !inside.isEmpty();
    }
    return gone.size() - points.size();
  }

  /// The tasks that run from some checkpoints.
  private record Tasks(Set<String> scopes, Set<String> inheritedTasks) {
    static Tasks of(Stream<MemoryLineage.Point> points) {
      var tasks = new Tasks(new HashSet<>(), new HashSet<>());
      points.forEach(point -> {
        tasks.scopes().add(point.checkpoint().scope());
        tasks.inheritedTasks().addAll(point.inheritedTasks());
      });
      return tasks;
    }

    /// Returns whether a namespace belongs to a graph inside one of these tasks.
    boolean have(String name) {
      var namespace = lineage(name).owner();
      for (var task : inheritedTasks) {
        if (namespace.equals(task) || namespace.startsWith(task + "@")) return true;
      }
      for (int i = namespace.indexOf('/'); i >= 0; i = namespace.indexOf('/', i + 1)) {
        if (scopes.contains(namespace.substring(0, i))) return true;
      }
      return false;
    }
  }
}
