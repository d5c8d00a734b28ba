package dev.superstep.checkpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All that is kept of one thread: who holds it, its lineages and its journal. Guarded by its own
/// monitor.
final class MemoryThread {
  private final Map<String, MemoryLine> lines = new LinkedHashMap<>();
  private final List<Entry> journal = new ArrayList<>();
  private long lastOffset;
  private @Nullable Lease lease;
  private Instant until = Instant.MIN;
  private boolean cancelled;

  Lease acquire(Lease next, Instant now, Duration time) {
    var holder = holder(now);
    if (holder.isPresent()) {
      throw new ThreadBusy(next.thread(), holder.get().owner(), holder.get().until());
    }
    lease = next;
    until = now.plus(time);
    cancelled = false;
    return next;
  }

  boolean renew(Instant now, Duration time) {
    until = now.plus(time);
    return cancelled;
  }

  void release() {
    until = Instant.MIN;
  }

  boolean requestCancel(Instant now) {
    if (holder(now).isEmpty()) return false;
    cancelled = true;
    return true;
  }

  boolean isHeldBy(Lease shown) {
    return lease != null && lease.token() == shown.token();
  }

  Optional<Head.Holder> holder(Instant now) {
    if (lease == null || !until.isAfter(now)) return Optional.empty();
    return Optional.of(new Head.Holder(lease.owner(), until));
  }

  /// The line of a lineage, made if it is missing.
  MemoryLine line(Lineage lineage) {
    return lines.computeIfAbsent(lineage.namespace(), _ -> new MemoryLine());
  }

  Optional<MemoryLine> find(Lineage lineage) {
    return Optional.ofNullable(lines.get(lineage.namespace()));
  }

  Optional<MemoryLine.Point> head() {
    return Optional.ofNullable(lines.get("")).flatMap(MemoryLine::head);
  }

  boolean isEmpty() {
    return lines.values().stream().allMatch(line -> line.head().isEmpty());
  }

  Set<String> runs() {
    var runs = new HashSet<String>();
    for (var line : lines.values()) {
      for (var point : line.newestFirst()) runs.add(point.checkpoint().run());
    }
    return runs;
  }

  // --- The journal ---

  void append(List<Entry> entries) {
    for (var entry : entries) journal.add(entry.at(++lastOffset));
  }

  List<Entry> entries(long after, int limit, EntryFilter filter) {
    // Offsets only rise, but some may have been deleted, anywhere: of those that are not after this
    // one, there are at least so many.
    long gone = lastOffset - journal.size();
    int from = (int) Math.clamp(after - gone, 0L, journal.size());
    return journal.subList(from, journal.size()).stream()
        .filter(entry -> entry.offset() > after && filter.wants(entry))
        .limit(limit)
        .toList();
  }

  long lastOffset() {
    return lastOffset;
  }

  int trim(long through) {
    int before = journal.size();
    journal.removeIf(entry -> entry.offset() <= through);
    return before - journal.size();
  }

  // --- Going back, and removing ---

  /// What graphs inside remembered when a checkpoint of the thread's graph was made.
  Map<String, MemoryLine.Point> memories(long sequence) {
    var memories = new LinkedHashMap<String, MemoryLine.Point>();
    lines.forEach(
        (namespace, line) -> {
          if (!isRemembered(namespace)) return;
          line.before(sequence).ifPresent(point -> memories.put(namespace, point));
        });
    return memories;
  }

  void rewindMemories(Map<String, MemoryLine.Point> memories) {
    lines.keySet().removeIf(name -> isRemembered(name) && !memories.containsKey(name));
    memories.forEach((namespace, point) -> lines.get(namespace).rewind(point));
  }

  void addMemories(Map<String, MemoryLine.Point> memories) {
    memories.forEach(
        (namespace, point) -> {
          var line = new MemoryLine();
          line.add(point.apart(point.checkpoint(), point.sequence()));
          lines.put(namespace, line);
        });
  }

  private static boolean isRemembered(String namespace) {
    return namespace.startsWith("~/");
  }

  Map<String, MemoryLine> copyOfLines() {
    var copies = new LinkedHashMap<String, MemoryLine>();
    lines.forEach((namespace, line) -> copies.put(namespace, line.copy()));
    return copies;
  }

  void addLines(Map<String, MemoryLine> others) {
    lines.putAll(others);
  }

  void clear() {
    lines.clear();
    journal.clear();
    lease = null;
  }

  int deleteRun(String run) {
    int own = 0;
    var gone = new HashSet<String>();
    for (var entry : lines.entrySet()) {
      var removed = entry.getValue().remove(point -> point.checkpoint().run().equals(run));
      if (entry.getKey().isEmpty()) own += removed.size();
      gone.addAll(removed);
    }
    removeInside(gone);
    journal.removeIf(entry -> entry.run().equals(run));
    lines.values().removeIf(line -> line.head().isEmpty());
    return own;
  }

  int prune(Prune prune) {
    var gone = new HashSet<String>();
    for (var entry : lines.entrySet()) {
      boolean lasts = entry.getKey().isEmpty() || isRemembered(entry.getKey());
      if (lasts) gone.addAll(pruned(entry.getValue(), prune));
    }
    return gone.size() + removeInside(gone);
  }

  private static Set<String> pruned(MemoryLine line, Prune prune) {
    var stays = new HashSet<String>();
    line.head().ifPresent(head -> stays.add(head.id()));
    line.newestFirst().stream().limit(prune.keep()).forEach(point -> stays.add(point.id()));
    return line.remove(
        point -> {
          var at = point.checkpoint().at();
          return !stays.contains(point.id()) && prune.before().map(at::isBefore).orElse(true);
        });
  }

  /// Removes what ran inside of tasks of checkpoints that are gone.
  private int removeInside(Set<String> checkpoints) {
    int removed = 0;
    var gone = new ArrayList<>(checkpoints);
    while (!gone.isEmpty()) {
      var open = new HashSet<String>();
      for (var line : lines.values()) open.addAll(line.takenOver());
      var id = gone.removeLast();
      for (var namespace : List.copyOf(lines.keySet())) {
        if (!namespace.startsWith(id + "/") || open.contains(namespace)) continue;
        var ids = lines.get(namespace).remove(_ -> true);
        lines.remove(namespace);
        gone.addAll(ids);
        removed += ids.size();
      }
    }
    return removed;
  }
}
