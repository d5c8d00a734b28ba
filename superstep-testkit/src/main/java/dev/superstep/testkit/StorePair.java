package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A store beside the one in memory, which get the same calls. One thread.
final class StorePair {
  private static final String BEGUN = "k1/task@";
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration LONG = Duration.ofHours(1);
  private static final int ALL = 1_000;
  private static final List<String> CHANNELS = List.of("value", "list", "any");

  private final CompleteCheckpointer store;
  private final CompleteCheckpointer memory = CompleteCheckpointer.of(new InMemoryCheckpointer());
  private final String name;
  private final List<String> threads;
  private final Map<String, LeasePair> leases = new HashMap<>();
  private final List<LeasePair> oldLeases = new ArrayList<>();
  private final Set<Lineage> lineages = new LinkedHashSet<>();
  private final Set<String> ids = new LinkedHashSet<>();
  // By namespace, because forks and copies keep both.
  private final Map<String, Set<String>> used = new HashMap<>();
  private int made;

  /// The leases of one thread in both stores; their tokens differ.
  private record LeasePair(Lease inStore, Lease inMemory) {}

  private interface Call<T> {
    T on(CompleteCheckpointer one, Lease lease);
  }

  StorePair(CompleteCheckpointer store, String name) {
    this.store = store;
    this.name = name;
    threads = List.of(name + "-a", name + "-b", name + "-c");
    for (var thread : threads) {
      acquire(thread);
      lineages.add(Lineage.of(thread));
      lineages.add(Lineage.remembered(thread, List.of("m")));
      lineages.add(Lineage.remembered(thread, List.of("n")));
      lineages.add(Lineage.ofMemory(thread, BEGUN));
    }
  }

  void run(Operations.Operation operation) {
    var thread = threads.get(operation.thread());
    var other = threads.get(operation.other());
    int first = operation.first();
    switch (operation.kind()) {
      case COMMIT -> commit(Lineage.of(thread), operation);
      case COMMIT_INSIDE -> commit(inside(thread, first), operation);
      case SAVE_TASK -> saveTask(operation);
      case SAVE_STEP -> saveStep(operation);
      case ANSWER -> answer(operation);
      case APPEND -> append(thread, first);
      case FORK -> fork(other, thread, operation);
      case COPY -> both(thread, (one, lease) -> one.copy(lease, other));
      case PRUNE -> both(thread, (one, lease) -> one.prune(lease, prune(operation)));
      case DELETE_RUN -> both(thread, (one, lease) -> one.deleteRun(lease, run(first), Set.of()));
      case DELETE -> delete(thread);
      case TRIM -> both(thread, (one, lease) -> one.trimJournal(lease, first / 5));
      case TAKE_OVER -> takeOver(thread);
      case RELEASE -> writeLate(first);
      case COMPACT -> store.compact();
    }
  }

  // --- Calls ---

  private void both(String thread, Call<?> call) {
    both(leases(thread), call);
  }

  private void both(LeasePair held, Call<?> call) {
    assertThat(outcome(store, held.inStore(), call))
        .isEqualTo(outcome(memory, held.inMemory(), call));
  }

  private LeasePair leases(String thread) {
    return Objects.requireNonNull(leases.get(thread));
  }

  private static Object outcome(CompleteCheckpointer one, Lease lease, Call<?> call) {
    try {
      return call.on(one, lease);
    } catch (LeaseLost | IllegalArgumentException e) {
      return e.getClass();
    }
  }

  private void acquire(String thread) {
    var held = new LeasePair(store.acquire(thread, "p", LONG), memory.acquire(thread, "p", LONG));
    var old = leases.put(thread, held);
    if (old != null) oldLeases.add(old);
  }

  private void takeOver(String thread) {
    var held = leases(thread);
    store.release(held.inStore());
    memory.release(held.inMemory());
    both(held, (one, lease) -> one.renew(lease, Duration.ZERO));
    acquire(thread);
  }

  private void writeLate(int first) {
    if (oldLeases.isEmpty()) return;
    var held = oldLeases.get(first % oldLeases.size());
    both(
        held,
        (one, lease) -> {
          one.release(lease);
          one.append(lease, List.of(entry("late", "late")));
          return true;
        });
  }

  private void delete(String thread) {
    both(
        thread,
        (one, lease) -> {
          one.delete(lease);
          return true;
        });
    acquire(thread);
  }

  private void commit(Lineage lineage, Operations.Operation operation) {
    lineages.add(lineage);
    var newest = memory.latest(lineage);
    var parent = newest.map(saved -> saved.checkpoint().id());
    var stale = operation.second() == 49 ? Optional.of("stale") : parent;
    var checkpoint = checkpoint(stale, operation);
    use(lineage, checkpoint.id());
    var changes = new ArrayList<ChannelChange>();
    for (var channel : CHANNELS) change(channel, newest, operation).ifPresent(changes::add);
    var commit = new Commit(lineage, checkpoint, changes).withEntries(entries(operation));
    var full = operation.first() % 4 == 0 ? carrying(commit) : commit;
    both(lineage.thread(), (one, lease) -> one.commit(lease, full));
  }

  private Commit carrying(Commit commit) {
    return commit
        .carrying(
            List.of(task("carried", commit.checkpoint().id())),
            List.of(new StepRecord("carried", "step", Json.parse("1"))),
            List.of(new Answer("carried", Json.parse("2"))))
        .of("{\"made\":" + made + "}");
  }

  private Checkpoint checkpoint(Optional<String> parent, Operations.Operation operation) {
    var id = "k" + ++made;
    ids.add(id);
    var due = new ArrayList<PendingNode>();
    if (operation.second() % 5 == 1) due.add(pendingNode(operation.first()));
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        parent,
        generation(made),
        made,
        Checkpoint.Source.LOOP,
        START.plusSeconds(made),
        run(operation.second()),
        name + "-graph" + operation.second() % 2,
        "hash" + operation.first() % 2,
        Progress.of(due).with(memories(operation)),
        Map.of());
  }

  /// Several checkpoints have one.
  private static String generation(int number) {
    return "g" + number / 4;
  }

  /// As of format 1, or some that may be there or not.
  private Memories memories(Operations.Operation operation) {
    if (operation.first() % 3 == 0) return Memories.UNNAMED;
    if (operation.first() % 3 == 1) return Memories.NONE;
    var named = lineages.stream().filter(Lineage::isRemembered).toList();
    var one = named.get(operation.second() % named.size());
    var known = List.copyOf(used.getOrDefault(one.namespace(), Set.of()));
    if (known.isEmpty()) return Memories.NONE;
    var id = known.get(operation.first() % known.size());
    return Memories.NONE.with(Map.of("m", new Memory(one.namespace(), id)));
  }

  private PendingNode pendingNode(int pick) {
    int number = Integer.parseInt(id(pick).substring(1));
    var task = TaskId.of(generation(number), number + 1, "task");
    return new PendingNode("n", new Activation.Entry(), Optional.empty(), Optional.of(task));
  }

  private Optional<ChannelChange> change(
      String channel, Optional<Saved> newest, Operations.Operation operation) {
    int pick = operation.first() + channel.length();
    var value = Json.parse("\"" + channel + made + "\"");
    int length = length(channel, newest);
    Optional<Change> change =
        switch (channel) {
          case "value" -> pick % 3 == 0 ? Optional.empty() : Optional.of(new Change.Whole(value));
          case "list" -> Optional.of(new Change.Items(length, List.of(value)));
          default ->
              switch (pick % 5) {
                case 0 -> Optional.of(new Change.Cleared());
                case 1 -> Optional.of(new Change.Whole(value));
                case 2 -> Optional.empty();
                case 3 -> Optional.of(new Change.Items(length / 2, List.of(value, value)));
                default -> Optional.of(new Change.Items(length, List.of(value)));
              };
        };
    return change.map(made -> new ChannelChange(channel, this.made, made));
  }

  private static int length(String channel, Optional<Saved> newest) {
    return newest.stream()
        .flatMap(saved -> saved.channels().stream())
        .filter(saved -> saved.name().equals(channel))
        .mapToInt(saved -> saved.content() instanceof Content.Items(var i) ? i.size() : 0)
        .sum();
  }

  private void saveTask(Operations.Operation operation) {
    var lineage = lineage(operation);
    var task = task("t" + operation.second() % 3, operation.toString());
    var id = use(lineage, id(operation.first()));
    both(
        lineage.thread(),
        (one, lease) -> one.saveTask(lease, lineage, id, task, entries(operation)));
  }

  private static TaskRecord task(String name, String value) {
    if (value.length() % 2 == 0) return new TaskRecord(name, "n", new End.Failed("failed", value));
    return new TaskRecord(
        name, "n", new End.Finished(List.of(), Optional.of(List.of(value)), List.of()));
  }

  private void saveStep(Operations.Operation operation) {
    var lineage = lineage(operation);
    var step = new StepRecord("t", "s" + operation.second() % 3, Json.string("" + operation));
    var id = use(lineage, id(operation.first()));
    both(lineage.thread(), (one, lease) -> one.saveStep(lease, lineage, id, step));
  }

  private void answer(Operations.Operation operation) {
    var lineage = lineage(operation);
    var answers = new ArrayList<Answer>();
    for (int i = 0; i < operation.second() % 3; i++) {
      answers.add(new Answer("q" + (operation.first() + i) % 4, Json.parse("" + made)));
    }
    var id = use(lineage, id(operation.first()));
    both(
        lineage.thread(),
        (one, lease) -> one.answer(lease, lineage, id, answers, entries(operation)));
  }

  private void append(String thread, int many) {
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < many % 4; i++) entries.add(entry(run(many + i), "kind" + i));
    both(
        thread,
        (one, lease) -> {
          one.append(lease, entries);
          return one.lastOffset(thread);
        });
  }

  private void fork(String source, String target, Operations.Operation operation) {
    var from = id(operation.first());
    var made = checkpoint(Optional.of(from), operation);
    use(Lineage.of(target), made.id());
    var fork = new Fork(Lineage.of(source), from, Lineage.of(target), made, entries(operation));
    both(target, (one, lease) -> one.fork(lease, fork));
  }

  private static Prune prune(Operations.Operation operation) {
    var prune = Prune.keepLast(1 + operation.first() % 3);
    return operation.second() % 2 == 0
        ? prune
        : prune.olderThan(START.plusSeconds(operation.second()));
  }

  // --- What they are about ---

  /// A subgraph: one that remembers, or one in a task of a checkpoint of the thread.
  private Lineage inside(String thread, int pick) {
    if (pick % 3 == 0) return Lineage.remembered(thread, List.of("m"));
    if (pick % 3 == 1) {
      return pick % 2 == 0
          ? Lineage.remembered(thread, List.of("n"))
          : Lineage.ofMemory(thread, BEGUN);
    }
    var own = memory.page(Lineage.of(thread), Optional.empty(), 3);
    if (own.isEmpty()) return Lineage.of(thread);
    return new Lineage(thread, own.get(pick % own.size()).scope() + "/task");
  }

  private Lineage lineage(Operations.Operation operation) {
    var thread = threads.get(operation.thread());
    return operation.other() == 0 ? Lineage.of(thread) : inside(thread, operation.second());
  }

  private String use(Lineage lineage, String id) {
    used.computeIfAbsent(lineage.namespace(), _ -> new LinkedHashSet<>()).add(id);
    return id;
  }

  private String id(int pick) {
    var known = List.copyOf(ids);
    return known.isEmpty() ? "k1" : known.get(pick % known.size());
  }

  private static String run(int pick) {
    return "run" + pick % 3;
  }

  private static List<Entry> entries(Operations.Operation operation) {
    if (operation.first() % 2 == 0) return List.of();
    return List.of(entry(run(operation.second()), "told"), entry("run0", "too"));
  }

  private static Entry entry(String run, String kind) {
    var path = kind.endsWith("0") ? List.of("outer", "inner") : List.of("outer");
    return new Entry(0, START, run, "graph", path, "node", kind, Json.parse("{}"));
  }

  // --- What they hold ---

  /// Fails unless all that can be read is the same.
  void agrees() {
    assertThat(contents(store)).isEqualTo(contents(memory));
  }

  private Map<String, Object> contents(CompleteCheckpointer one) {
    var contents = new LinkedHashMap<String, Object>();
    for (var thread : threads) {
      contents.put("head of " + thread, one.find(thread).map(StorePair::withoutTime));
      contents.put("offset of " + thread, one.lastOffset(thread));
      var journal = one.entries(thread, 0, ALL, EntryFilter.all());
      contents.put("journal of " + thread, journal);
      contents.put("end of " + thread, one.entries(thread, 3, 2, EntryFilter.all()));
      var some = EntryFilter.all().runs("run0", "run1").under("outer", "inner");
      contents.put("some of " + thread, one.entries(thread, 0, ALL, some));
    }
    for (var lineage : lineages) contents.put(lineage.toString(), contents(one, lineage));
    for (int i = 0; i < 2; i++) {
      var query = ThreadQuery.newest(ALL).of(name + "-graph" + i);
      contents.put("threads " + i, heads(one, query));
      contents.put("after b " + i, heads(one, query.after(threads.get(1))));
      contents.put("run " + i, heads(one, query.writtenBy(run(i))));
      contents.put("shape " + i, one.described(name + "-graph0", "hash" + i));
    }
    return contents;
  }

  private Map<String, Object> contents(CompleteCheckpointer one, Lineage lineage) {
    var contents = new LinkedHashMap<String, Object>();
    contents.put("latest", one.latest(lineage).map(StorePair::values));
    contents.put("page", one.page(lineage, Optional.empty(), ALL));
    for (var id : used.getOrDefault(lineage.namespace(), Set.of())) {
      contents.put("values " + id, one.byId(lineage, id).map(StorePair::values));
      contents.put("tasks " + id, one.tasks(lineage, id));
      contents.put("steps " + id, one.steps(lineage, id));
      contents.put("answers " + id, one.answers(lineage, id));
    }
    return contents;
  }

  private static List<Object> values(Saved saved) {
    return List.of(saved.checkpoint(), History.values(saved));
  }

  private static List<Object> heads(CompleteCheckpointer one, ThreadQuery query) {
    return one.threads(query).stream().map(StorePair::withoutTime).toList();
  }

  private static Object withoutTime(ThreadSummary head) {
    return List.of(
        head.thread(), head.checkpoint(), head.holder().map(ThreadSummary.Holder::owner));
  }
}
