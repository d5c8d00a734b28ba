package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.EventListener;
import dev.superstep.event.Redaction;
import dev.superstep.json.InvalidName;
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
import org.jspecify.annotations.Nullable;

/// How a run is to be done. Immutable; each method returns a changed copy.
public final class RunOptions {
  static final int STEP_LIMIT = 50;
  static final int TOTAL_STEP_LIMIT = 10_000;
  static final int CONCURRENCY = 64;
  static final int RETRY_BUDGET = 1_000;
  static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration LEASE_MIN = Duration.ofMillis(10);

  private @Nullable String thread;
  private @Nullable Checkpointer checkpointer;
  private @Nullable Integer stepLimit;
  private @Nullable Integer totalStepLimit;
  private int concurrency = CONCURRENCY;
  private boolean dataflow;
  private List<EventPublisher.Hearing> listeners = List.of();
  private Set<Detail> details = Set.of();
  private Backlog backlog = Backlog.blocking();
  private Map<String, String> labels = Map.of();
  private Map<String, String> metadata = Map.of();
  private Map<ContextKey<?>, Object> given = Map.of();
  private InstantSource clock = InstantSource.system();
  private Ids ids = Ids.timeOrdered();
  private int retryBudget = RETRY_BUDGET;
  private @Nullable Duration deadline;
  private Sleeper sleeper = Sleeper.system();
  private Breakpoints pauses = Breakpoints.none();
  private @Nullable Drain drain;
  private @Nullable MatrixHook matrix;
  private @Nullable NodeCache cache;
  private @Nullable Rate rate;
  private @Nullable Store store;
  private Duration lease = LEASE;
  private Durability durability = Durability.SYNC;
  private @Nullable Redaction journal;
  private List<Migration> migrations = List.of();
  private boolean topologyChange;
  private boolean recorded;
  private @Nullable Integer taskLimit;

  private RunOptions() {}

  /// A run that nothing is kept of.
  public static RunOptions defaults() {
    return new RunOptions();
  }

  /// A run on a thread; say with [#checkpoints] where the thread is kept.
  public static RunOptions thread(String name) {
    var options = new RunOptions();
    options.thread = dev.superstep.checkpoint.Lineage.of(name).thread();
    return options;
  }

  /// Where the thread is kept.
  public RunOptions checkpoints(Checkpointer store) {
    var copy = copy();
    copy.checkpointer = store;
    return copy;
  }

  /// The same run on a thread of this name, kept there.
  public RunOptions on(String name, Checkpointer store) {
    var copy = copy();
    copy.thread = dev.superstep.checkpoint.Lineage.of(name).thread();
    copy.checkpointer = store;
    return copy;
  }

  /// How many supersteps this run may take; 50 unless set. Graphs inside may take as many each,
  /// unless they say themselves how many: [GraphBuilder#stepLimit].
  public RunOptions stepLimit(int steps) {
    if (steps < 1) throw new IllegalArgumentException("stepLimit must be at least 1, was " + steps);
    var copy = copy();
    copy.stepLimit = steps;
    return copy;
  }

  /// How many supersteps this run and the graphs inside it may take together; 10,000 unless set, or
  /// as many as the run's own graph may take if that is more. Loops in graphs in loops multiply.
  public RunOptions totalStepLimit(int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("totalStepLimit must be at least 1, was " + steps);
    }
    var copy = copy();
    copy.totalStepLimit = steps;
    return copy;
  }

  /// How many tasks of one superstep may run at once; 64 unless set. The result does not depend on
  /// it.
  public RunOptions concurrency(int tasks) {
    if (tasks < 1) {
      throw new IllegalArgumentException("concurrency must be at least 1, was " + tasks);
    }
    var copy = copy();
    copy.concurrency = tasks;
    return copy;
  }

  /// How many tasks this run may begin, those of graphs inside included; one with a graph inside is
  /// not counted itself. They run one after the other, in task order. Then the run ends as stopped,
  /// for the reason [Outcome.Reason#TASK_LIMIT], be it in the midst of a superstep: what finished
  /// is kept, and a run that goes on begins with the next task. With 0, the input is folded and
  /// nothing else done. For those who want to look, or to save, between any two tasks.
  ///
  /// Only for runs that are kept.
  public RunOptions taskLimit(int tasks) {
    if (tasks < 0) {
      throw new IllegalArgumentException("taskLimit must not be negative, was " + tasks);
    }
    var copy = copy();
    copy.taskLimit = tasks;
    return copy;
  }

  /// Lets nodes start before their superstep if all that they read is certain: a fast branch then
  /// need not wait for a slow one. For graphs that declare what their nodes read and write. The
  /// state, the checkpoints and their order are those of the supersteps; what may differ is that a
  /// node has already run when its run fails or is stopped.
  ///
  /// @see GraphBuilder#reads
  public RunOptions dataflow() {
    var copy = copy();
    copy.dataflow = true;
    return copy;
  }

  /// One more listener for the run's events.
  ///
  /// @param also what it hears beyond the usual
  public RunOptions listener(EventListener listener, Detail... also) {
    var copy = copy();
    copy.listeners = new ArrayList<>(listeners);
    copy.listeners.add(new EventPublisher.Hearing(listener, Set.of(also)));
    return copy;
  }

  /// What the stream of the run tells beyond the usual, if the run is streamed.
  public RunOptions details(Detail... also) {
    var copy = copy();
    copy.details = Set.of(also);
    return copy;
  }

  /// How many events may wait for the reader of the run's stream, and what happens when more come;
  /// the run waits for the reader unless set.
  public RunOptions backlog(Backlog waiting) {
    var copy = copy();
    copy.backlog = waiting;
    return copy;
  }

  /// A label on every event of the run.
  public RunOptions label(String name, String value) {
    var copy = copy();
    copy.labels = with(labels, InvalidName.check("Label", name), value);
    return copy;
  }

  /// A value that nodes can read and that is kept in every checkpoint.
  ///
  /// @throws ValueOverLimit if it is too long to be read back
  public RunOptions metadata(String name, String value) {
    ValueOverLimit.checkedText(value, "metadata", name);
    var copy = copy();
    copy.metadata = with(metadata, InvalidName.check("Metadata", name), value);
    return copy;
  }

  /// Something for the nodes that is not state; it is never stored.
  public <T> RunOptions with(ContextKey<T> key, T value) {
    var copy = copy();
    copy.given = new LinkedHashMap<>(given);
    copy.given.put(key, Objects.requireNonNull(value, key.name()));
    return copy;
  }

  /// The clock of the run.
  public RunOptions clock(InstantSource source) {
    var copy = copy();
    copy.clock = source;
    return copy;
  }

  /// Where ids come from.
  public RunOptions ids(Ids source) {
    var copy = copy();
    copy.ids = source;
    return copy;
  }

  /// How often failed nodes may be tried again in the whole run, whatever their policies say; 1,000
  /// times unless set.
  public RunOptions retryBudget(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("retryBudget must not be negative, was " + retries);
    }
    var copy = copy();
    copy.retryBudget = retries;
    return copy;
  }

  /// How long the run may take. Then its nodes are interrupted, and it ends as stopped and can be
  /// resumed. Each node of such a run has a thread of its own, so that one which ignores the
  /// interruption can be left behind.
  public RunOptions deadline(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("deadline must be positive, was " + most);
    }
    var copy = copy();
    copy.deadline = most;
    return copy;
  }

  /// Where results are kept for nodes whose policy lets a cached one stand for running them.
  /// Without a cache those nodes run each time.
  public RunOptions cache(NodeCache cache) {
    var copy = copy();
    copy.cache = cache;
    return copy;
  }

  /// What the nodes remember beyond this thread, and find by [NodeContext#store].
  public RunOptions store(Store store) {
    var copy = copy();
    copy.store = store;
    return copy;
  }

  /// How often tasks may begin in this run, retries and the tasks of graphs inside included. What
  /// comes too early waits.
  public RunOptions rate(Rate rate) {
    var copy = copy();
    copy.rate = rate;
    return copy;
  }

  /// How long the thread stays taken after the run's process died or was cut off; 20 seconds unless
  /// set. A run that is at work renews its lease five times in that time.
  public RunOptions lease(Duration time) {
    if (time.compareTo(LEASE_MIN) < 0) {
      throw new IllegalArgumentException("lease must be at least 10 ms, was " + time);
    }
    var copy = copy();
    copy.lease = time;
    return copy;
  }

  /// When what the run has done is safe; before it goes on unless set.
  public RunOptions durability(Durability when) {
    var copy = copy();
    copy.durability = when;
    return copy;
  }

  /// Keeps the events of the run in the journal of its thread, each in the transaction that saves
  /// what it tells of; without what programs, models and people said: [Redaction#payloads].
  ///
  /// @see dev.superstep.journal.ThreadJournal
  public RunOptions journal() {
    return journal(Redaction.payloads());
  }

  /// The same with other parts of the events left out, or with none: [Redaction#none].
  public RunOptions journal(Redaction redaction) {
    var copy = copy();
    copy.journal = redaction;
    return copy;
  }

  /// How threads that other shapes of the graph saved, or of graphs inside it, go on.
  public RunOptions migrations(Migration... more) {
    var copy = copy();
    copy.migrations = new ArrayList<>(migrations);
    copy.migrations.addAll(List.of(more));
    return copy;
  }

  /// Lets a thread go on that another shape of the graph saved, without any change to it. All
  /// channels that hold something and all nodes that are due must still be there. More channels are
  /// always allowed if nothing else has changed, and if nothing is due or they begin with a value.
  public RunOptions allowTopologyChange() {
    var copy = copy();
    copy.topologyChange = true;
    return copy;
  }

  /// Keeps each time that a node reads from [NodeContext#clock], as a step of its task: a node that
  /// runs again, or that is replayed, sees the same times. Costs one write for each reading.
  ///
  /// @see Replay
  public RunOptions recorded() {
    var copy = copy();
    copy.recorded = true;
    return copy;
  }

  /// How the run waits before it tries a node again, and for what a rate allows.
  public RunOptions sleeper(Sleeper sleeper) {
    var copy = copy();
    copy.sleeper = sleeper;
    return copy;
  }

  /// What drains this run together with others; the one [of the process][Drain#ofProcess] unless
  /// set. Not for runs that nodes of others begin: those end with the node.
  public RunOptions drain(Drain shared) {
    var copy = copy();
    copy.drain = shared;
    return copy;
  }

  /// Where this run pauses, beside the places that its graph names. Given to each call anew.
  public RunOptions breakpoints(Breakpoints places) {
    var copy = copy();
    copy.pauses = pauses.and(places);
    return copy;
  }

  /// What learns from the run and may choose in place of its routers; nothing unless set. What it
  /// chose is kept in the checkpoints.
  public RunOptions matrix(MatrixHook hook) {
    var copy = copy();
    copy.matrix = hook;
    return copy;
  }

  /// The thread that the run is on, if it is on one.
  public Optional<String> thread() {
    return Optional.ofNullable(thread);
  }

  /// The same, for a graph inside that is kept elsewhere, or not at all.
  RunOptions keptIn(@Nullable Checkpointer store) {
    if (Objects.equals(store, checkpointer)) return this;
    var copy = copy();
    copy.checkpointer = store;
    return copy;
  }

  /// Where the thread is kept, if it is kept.
  public Optional<Checkpointer> checkpointer() {
    return Optional.ofNullable(checkpointer);
  }

  /// How many supersteps a run of a graph may take with those inside it.
  int totalStepLimit(CompiledGraph graph) {
    return totalStepLimit == null
        ? Math.max(TOTAL_STEP_LIMIT, stepLimit(graph, false))
        : totalStepLimit;
  }

  /// How many supersteps a graph may take.
  ///
  /// @param inside whether another graph runs it
  int stepLimit(CompiledGraph graph, boolean inside) {
    var own = graph.stepLimit();
    if (own != null && (inside || stepLimit == null)) return own;
    return stepLimit == null ? STEP_LIMIT : stepLimit;
  }

  int concurrency() {
    return concurrency;
  }

  boolean isDataflow() {
    return dataflow;
  }

  List<EventPublisher.Hearing> listeners() {
    return listeners;
  }

  Backlog backlog() {
    return backlog;
  }

  /// These options, and the stream as a listener.
  RunOptions heardBy(EventListener stream) {
    return listener(stream, details.toArray(Detail[]::new));
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
  public InstantSource clock() {
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

  Optional<Drain> drain() {
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

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    var more = new LinkedHashMap<>(map);
    more.put(name, value);
    return java.util.Collections.unmodifiableMap(more);
  }

  private RunOptions copy() {
    var copy = new RunOptions();
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
    return copy;
  }
}
