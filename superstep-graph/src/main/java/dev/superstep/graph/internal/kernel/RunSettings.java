package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.EventListener;
import dev.superstep.event.Redaction;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Ids;
import dev.superstep.node.Rate;
import dev.superstep.node.Sleeper;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Durability;
import dev.superstep.run.MatrixHook;
import dev.superstep.run.Migration;
import dev.superstep.run.ThreadContext;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The settings behind `RunOptions`, which checks its arguments. Not changed once it was made: each
/// change is made to a copy.
public final class RunSettings {
  private static final int STEP_LIMIT = 50;
  private static final int TOTAL_STEP_LIMIT = 1_000;
  private static final int CONCURRENCY = 64;
  private static final int RETRY_BUDGET = 1_000;
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration APPROVAL_TIME = Duration.ofHours(24);

  public static final RunSettings DEFAULTS = new RunSettings();

  public @Nullable String thread;
  public @Nullable Checkpointer checkpointer;
  public @Nullable Integer stepLimit;
  public @Nullable Integer totalStepLimit;
  public int concurrency = CONCURRENCY;
  public boolean dataflow;
  public List<Listener> listeners = List.of();
  public Set<Detail> details = Set.of();
  public Backlog backlog = Backlog.blocking();
  public Map<String, String> labels = Map.of();
  public Map<String, String> metadata = Map.of();
  public Map<ContextKey<?>, Object> given = Map.of();
  public InstantSource clock = InstantSource.system();
  public Ids ids = Ids.timeOrdered();
  public int retryBudget = RETRY_BUDGET;
  public @Nullable Duration deadline;
  public Sleeper sleeper = Sleeper.system();
  public Breakpoints breakpoints = Breakpoints.none();
  public @Nullable ActiveRuns drain;
  public @Nullable MatrixHook matrix;
  public @Nullable NodeCache cache;
  public @Nullable Rate rate;
  public @Nullable Store store;
  public Duration lease = LEASE;
  public Duration leaseWait = Duration.ZERO;
  public Duration approvalTime = APPROVAL_TIME;
  public Durability durability = Durability.SYNC;
  public @Nullable Redaction journal;
  public List<Migration> migrations = List.of();
  public boolean topologyChange;
  public boolean recorded;
  public boolean rerunsWaiting;
  public boolean discardsPending;
  public @Nullable Integer taskLimit;
  public List<ThreadContext> threadContexts = List.of();

  private RunSettings() {}

  /// A listener, and what it hears beyond the usual.
  public record Listener(EventListener listener, Set<Detail> details) {}

  /// Returns a copy with a change.
  public RunSettings with(Consumer<RunSettings> change) {
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
    copy.breakpoints = breakpoints;
    copy.drain = drain;
    copy.matrix = matrix;
    copy.cache = cache;
    copy.rate = rate;
    copy.store = store;
    copy.lease = lease;
    copy.leaseWait = leaseWait;
    copy.approvalTime = approvalTime;
    copy.durability = durability;
    copy.journal = journal;
    copy.migrations = migrations;
    copy.topologyChange = topologyChange;
    copy.recorded = recorded;
    copy.rerunsWaiting = rerunsWaiting;
    copy.discardsPending = discardsPending;
    copy.taskLimit = taskLimit;
    copy.threadContexts = threadContexts;
    change.accept(copy);
    return copy;
  }

  /// Wraps work for another thread, which then has what is bound to this one.
  public Runnable carried(Runnable work) {
    var carried = work;
    for (var context : threadContexts.reversed()) {
      carried = Objects.requireNonNull(context.carried(carried), "carried work");
    }
    return carried;
  }

  /// The thread that the run is on, if it is on one.
  public Optional<String> thread() {
    return Optional.ofNullable(thread);
  }

  /// Returns a copy for a subgraph that is saved elsewhere, or not at all.
  public RunSettings withCheckpointer(@Nullable Checkpointer store) {
    return Objects.equals(store, checkpointer) ? this : with(s -> s.checkpointer = store);
  }

  /// The store of the thread, if there is one.
  public Optional<Checkpointer> checkpointer() {
    return Optional.ofNullable(checkpointer);
  }

  /// Returns the number of supersteps that a run of a graph and its subgraphs may take together.
  ///
  /// @param own how many the graph itself allows, if it says so
  public int totalStepLimit(@Nullable Integer own) {
    return totalStepLimit == null
        ? Math.max(TOTAL_STEP_LIMIT, stepLimit(own, false))
        : totalStepLimit;
  }

  /// Returns the number of supersteps that a graph may take.
  ///
  /// @param own how many the graph itself allows, if it says so
  /// @param inside whether another graph runs it
  public int stepLimit(@Nullable Integer own, boolean inside) {
    if (own != null && (inside || stepLimit == null)) return own;
    return stepLimit == null ? STEP_LIMIT : stepLimit;
  }

  public int concurrency() {
    return concurrency;
  }

  public boolean isDataflow() {
    return dataflow;
  }

  public List<Listener> listeners() {
    return listeners;
  }

  public Backlog backlog() {
    return backlog;
  }

  /// Returns a copy that gives nodes these values, too.
  public RunSettings giving(Map<ContextKey<?>, Object> more) {
    if (more.isEmpty()) return this;
    var all = new LinkedHashMap<>(given);
    all.putAll(more);
    return with(s -> s.given = all);
  }

  /// These settings, and the stream as a listener.
  public RunSettings withListener(EventListener stream) {
    var more = new ArrayList<>(listeners);
    more.add(new Listener(stream, details));
    return with(s -> s.listeners = more);
  }

  public Map<String, String> labels() {
    return labels;
  }

  public Map<String, String> metadata() {
    return metadata;
  }

  /// Returns the value that the caller gave for this key, or null.
  public <T> @Nullable T given(ContextKey<T> key) {
    return given.isEmpty() ? null : key.type().cast(given.get(key));
  }

  /// The clock of the run.
  public InstantSource clock() {
    return clock;
  }

  public Ids ids() {
    return ids;
  }

  public int retryBudget() {
    return retryBudget;
  }

  public @Nullable Integer taskLimit() {
    return taskLimit;
  }

  public @Nullable Duration deadline() {
    return deadline;
  }

  public Sleeper sleeper() {
    return sleeper;
  }

  public Optional<ActiveRuns> drain() {
    return Optional.ofNullable(drain);
  }

  public Breakpoints breakpoints() {
    return breakpoints;
  }

  public @Nullable MatrixHook matrix() {
    return matrix;
  }

  public Optional<NodeCache> cache() {
    return Optional.ofNullable(cache);
  }

  public @Nullable Rate rate() {
    return rate;
  }

  public @Nullable Store store() {
    return store;
  }

  public Duration lease() {
    return lease;
  }

  /// The time that the run waits for its thread while another run holds it.
  public Duration leaseWait() {
    return leaseWait;
  }

  /// The time in which an approval must be used.
  public Duration approvalTime() {
    return approvalTime;
  }

  public Durability durability() {
    return durability;
  }

  public List<Migration> migrations() {
    return migrations;
  }

  public boolean isRecorded() {
    return recorded;
  }

  public boolean isTopologyChangeAllowed() {
    return topologyChange;
  }

  /// The redaction of the run's journal, or null if the run has no journal.
  public @Nullable Redaction journaling() {
    return journal;
  }

  /// Returns the parts that are set, in short, without values of labels, metadata and given keys.
  public List<String> changed() {
    var parts = new ArrayList<String>();
    add(parts, "thread", thread);
    add(parts, "checkpointer", checkpointer);
    add(parts, "stepLimit", stepLimit);
    add(parts, "totalStepLimit", totalStepLimit);
    add(parts, "taskLimit", taskLimit);
    add(parts, "concurrency", concurrency == CONCURRENCY ? null : concurrency);
    add(parts, "retryBudget", retryBudget == RETRY_BUDGET ? null : retryBudget);
    add(parts, "deadline", deadline);
    add(parts, "durability", durability == Durability.SYNC ? null : durability);
    add(parts, "lease", lease.equals(LEASE) ? null : lease);
    add(parts, "approvalTime", approvalTime.equals(APPROVAL_TIME) ? null : approvalTime);
    add(parts, "breakpoints", breakpoints.isEmpty() ? null : breakpoints);
    add(parts, "rate", rate);
    add(parts, "cache", cache);
    add(parts, "store", store);
    add(parts, "listeners", listeners.isEmpty() ? null : listeners.size());
    add(parts, "labels", labels.isEmpty() ? null : labels.keySet());
    add(parts, "metadata", metadata.isEmpty() ? null : metadata.keySet());
    add(parts, "given", given.isEmpty() ? null : given.size());
    add(parts, "journal", journal == null ? null : "on");
    if (dataflow) parts.add("dataflow");
    if (topologyChange) parts.add("allowTopologyChange");
    if (recorded) parts.add("recorded");
    return parts;
  }

  private static void add(List<String> parts, String name, @Nullable Object value) {
    if (value != null) parts.add(name + "=" + value);
  }
}
