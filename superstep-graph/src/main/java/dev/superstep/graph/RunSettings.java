package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.EventListener;
import dev.superstep.event.Redaction;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import java.util.function.Consumer;

/// How a run is to be done, behind `RunOptions`, which checks what it is given. Not changed once it
/// was made: each change is one to a copy.
final class RunSettings {
  private static final int STEP_LIMIT = 50;
  private static final int TOTAL_STEP_LIMIT = 10_000;
  private static final int CONCURRENCY = 64;
  private static final int RETRY_BUDGET = 1_000;
  private static final Duration LEASE = Duration.ofSeconds(20);

  static final RunSettings DEFAULTS = new RunSettings();

  @Nullable String thread;
  @Nullable Checkpointer checkpointer;
  @Nullable Integer stepLimit;
  @Nullable Integer totalStepLimit;
  int concurrency = CONCURRENCY;
  boolean dataflow;
  List<Listener> listeners = List.of();
  Set<Detail> details = Set.of();
  Backlog backlog = Backlog.blocking();
  Map<String, String> labels = Map.of();
  Map<String, String> metadata = Map.of();
  Map<ContextKey<?>, Object> given = Map.of();
  InstantSource clock = InstantSource.system();
  Ids ids = Ids.timeOrdered();
  int retryBudget = RETRY_BUDGET;
  @Nullable Duration deadline;
  Sleeper sleeper = Sleeper.system();
  Breakpoints pauses = Breakpoints.none();
  @Nullable ActiveRuns drain;
  @Nullable MatrixHook matrix;
  @Nullable NodeCache cache;
  @Nullable Rate rate;
  @Nullable Store store;
  Duration lease = LEASE;
  Durability durability = Durability.SYNC;
  @Nullable Redaction journal;
  List<Migration> migrations = List.of();
  boolean topologyChange;
  boolean recorded;
  @Nullable Integer taskLimit;

  private RunSettings() {}

  /// A listener, and what it hears beyond the usual.
  record Listener(EventListener listener, Set<Detail> details) {}

  /// The same with a change.
  RunSettings with(Consumer<RunSettings> change) {
    var copy = new RunSettings();
    copy.thread = thread;
    copy.checkpointer = checkpointer;
    copy.stepLimit = stepLimit;
    copy.totalStepLimit = totalStepLimit;
    copy.concurrency = concurrency;
    copy.dataflow = dataflow;
    copy.listeners = listeners;
    copy.details = details;
    copy.backlog = backlog;
    copy.labels = labels;
    copy.metadata = metadata;
    copy.given = given;
    copy.clock = clock;
    copy.ids = ids;
    copy.retryBudget = retryBudget;
    copy.deadline = deadline;
    copy.sleeper = sleeper;
    copy.pauses = pauses;
    copy.drain = drain;
    copy.matrix = matrix;
    copy.cache = cache;
    copy.rate = rate;
    copy.store = store;
    copy.lease = lease;
    copy.durability = durability;
    copy.journal = journal;
    copy.migrations = migrations;
    copy.topologyChange = topologyChange;
    copy.recorded = recorded;
    copy.taskLimit = taskLimit;
    change.accept(copy);
    return copy;
  }

  /// The thread that the run is on, if it is on one.
  Optional<String> thread() {
    return Optional.ofNullable(thread);
  }

  /// The same, for a graph inside that is kept elsewhere, or not at all.
  RunSettings keptIn(@Nullable Checkpointer store) {
    return Objects.equals(store, checkpointer) ? this : with(s -> s.checkpointer = store);
  }

  /// Where the thread is kept, if it is kept.
  Optional<Checkpointer> checkpointer() {
    return Optional.ofNullable(checkpointer);
  }

  /// How many supersteps a run of a graph may take with those inside it.
  ///
  /// @param own how many the graph itself allows, if it says so
  int totalStepLimit(@Nullable Integer own) {
    return totalStepLimit == null
        ? Math.max(TOTAL_STEP_LIMIT, stepLimit(own, false))
        : totalStepLimit;
  }

  /// How many supersteps a graph may take.
  ///
  /// @param own how many the graph itself allows, if it says so
  /// @param inside whether another graph runs it
  int stepLimit(@Nullable Integer own, boolean inside) {
    if (own != null && (inside || stepLimit == null)) return own;
    return stepLimit == null ? STEP_LIMIT : stepLimit;
  }

  int concurrency() {
    return concurrency;
  }

  boolean isDataflow() {
    return dataflow;
  }

  List<Listener> listeners() {
    return listeners;
  }

  Backlog backlog() {
    return backlog;
  }

  /// These settings, and the stream as a listener.
  RunSettings heardBy(EventListener stream) {
    var more = new ArrayList<>(listeners);
    more.add(new Listener(stream, details));
    return with(s -> s.listeners = more);
  }

  Map<String, String> labels() {
    return labels;
  }

  Map<String, String> metadata() {
    return metadata;
  }

  /// What the caller gave under this key, or null.
  <T> @Nullable T given(ContextKey<T> key) {
    return given.isEmpty() ? null : key.type().cast(given.get(key));
  }

  /// The clock of the run.
  InstantSource clock() {
    return clock;
  }

  Ids ids() {
    return ids;
  }

  int retryBudget() {
    return retryBudget;
  }

  @Nullable Integer taskLimit() {
    return taskLimit;
  }

  @Nullable Duration deadline() {
    return deadline;
  }

  Sleeper sleeper() {
    return sleeper;
  }

  Optional<ActiveRuns> drain() {
    return Optional.ofNullable(drain);
  }

  Breakpoints breakpoints() {
    return pauses;
  }

  @Nullable MatrixHook matrix() {
    return matrix;
  }

  Optional<NodeCache> cache() {
    return Optional.ofNullable(cache);
  }

  @Nullable Rate rate() {
    return rate;
  }

  @Nullable Store store() {
    return store;
  }

  Duration lease() {
    return lease;
  }

  Durability durability() {
    return durability;
  }

  List<Migration> migrations() {
    return migrations;
  }

  boolean isRecorded() {
    return recorded;
  }

  boolean isTopologyChangeAllowed() {
    return topologyChange;
  }

  /// How the run keeps a journal, or null if it keeps none.
  @Nullable Redaction journaling() {
    return journal;
  }
}
