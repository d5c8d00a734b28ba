package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.EventListener;
import dev.superstep.event.Redaction;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.json.InvalidName;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The options of a run. Immutable; each method returns a changed copy.
public final class RunOptions {
  private static final RunOptions DEFAULTS = new RunOptions(RunSettings.DEFAULTS);
  private static final Duration LEASE_MIN = Duration.ofMillis(10);

  private final RunSettings settings;

  private RunOptions(RunSettings settings) {
    this.settings = settings;
  }

  /// Options of a run of which nothing is saved.
  public static RunOptions defaults() {
    return DEFAULTS;
  }

  /// Options of a run on a thread; set its store with [#checkpoints].
  public static RunOptions thread(String name) {
    var thread = Lineage.of(name).thread();
    return DEFAULTS.with(s -> s.thread = thread);
  }

  /// Sets the store of the thread.
  public RunOptions checkpoints(Checkpointer store) {
    return with(s -> s.checkpointer = store);
  }

  /// Runs on the thread of this name, which is saved in that store.
  public RunOptions on(String name, Checkpointer store) {
    var thread = Lineage.of(name).thread();
    return with(s -> {
      s.thread = thread;
      s.checkpointer = store;
    });
  }

  /// Returns options of a run of which nothing is saved, whatever thread these name.
  public RunOptions unsaved() {
    return with(s -> {
      s.thread = null;
      s.checkpointer = null;
    });
  }

  /// Limits how many supersteps this run may take; 50 unless set. Each subgraph may take as many,
  /// unless it has its own limit: [GraphBuilder#stepLimit].
  public RunOptions stepLimit(int steps) {
    if (steps < 1) throw new IllegalArgumentException("stepLimit must be at least 1, was " + steps);
    return with(s -> s.stepLimit = steps);
  }

  /// Limits how many supersteps this run and its subgraphs may take together; 1,000 unless set, or
  /// the limit of the run's own graph if that is higher. Loops in graphs in loops multiply.
  public RunOptions totalStepLimit(int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("totalStepLimit must be at least 1, was " + steps);
    }
    return with(s -> s.totalStepLimit = steps);
  }

  /// Limits how many tasks of one superstep may run at once; 64 unless set. The result does not
  /// depend on it.
  public RunOptions concurrency(int tasks) {
    if (tasks < 1) {
      throw new IllegalArgumentException("concurrency must be at least 1, was " + tasks);
    }
    return with(s -> s.concurrency = tasks);
  }

  /// Limits how many tasks this run may begin, those of subgraphs included; a task that runs a
  /// subgraph is not counted itself. Tasks run one after the other, in task order. At the limit the
  /// run ends as stopped, with the reason [dev.superstep.run.Outcome.Reason#TASK_LIMIT], even in
  /// the middle of a superstep: finished tasks are saved, and a resumed run begins with the next
  /// task. With 0, the input is folded and nothing else done. For callers who inspect or save
  /// something between any two tasks.
  ///
  /// Only for runs that are saved.
  public RunOptions taskLimit(int tasks) {
    if (tasks < 0) {
      throw new IllegalArgumentException("taskLimit must not be negative, was " + tasks);
    }
    return with(s -> s.taskLimit = tasks);
  }

  /// Lets nodes start before their superstep if everything that they read is certain: a fast branch
  /// then need not wait for a slow one. For graphs that declare what their nodes read and write.
  /// The state, the checkpoints and their order are those of the supersteps; the only difference is
  /// that a node may already have run when its run fails or is stopped.
  ///
  /// @see GraphBuilder#reads
  public RunOptions dataflow() {
    return with(s -> s.dataflow = true);
  }

  /// Adds a listener for the run's events.
  ///
  /// @param also the details that it requests
  public RunOptions listener(EventListener listener, Detail... also) {
    var more = new RunSettings.Listener(listener, Set.of(also));
    return with(s -> s.listeners = plus(s.listeners, List.of(more)));
  }

  /// Requests details for the run's stream, beyond the usual events, if the run is streamed.
  public RunOptions details(Detail... also) {
    return with(s -> s.details = Set.of(also));
  }

  /// Limits how many events may wait for the reader of the run's stream, and sets what happens when
  /// more come; the run waits for the reader unless set.
  public RunOptions backlog(Backlog waiting) {
    return with(s -> s.backlog = waiting);
  }

  /// A label on every event of the run.
  public RunOptions label(String name, String value) {
    return with(s -> s.labels = plus(s.labels, InvalidName.check("Label", name), value));
  }

  /// Carries what is bound to the calling thread over to other threads on which nodes run: those of
  /// a superstep with several tasks, of nodes and tools with limited time, and the thread on which
  /// a run goes on once it has called a tool. Several are called in the order in which they were
  /// added.
  public RunOptions carrying(ThreadContext context) {
    return with(s -> s.threadContexts = plus(s.threadContexts, List.of(context)));
  }

  /// Adds a value that nodes can read and that is saved in every checkpoint.
  ///
  /// @throws ValueOverLimit if it is too long to be read back
  public RunOptions metadata(String name, String value) {
    ValueOverLimit.checkedText(value, "metadata", name);
    return with(s -> s.metadata = plus(s.metadata, InvalidName.check("Metadata", name), value));
  }

  /// Something for the nodes that is not state; it is never stored.
  public <T> RunOptions with(ContextKey<T> key, T value) {
    Objects.requireNonNull(value, key.name());
    return with(s -> s.given = plus(s.given, key, value));
  }

  /// Returns the value that was given for this key, or empty.
  public <T> Optional<T> find(ContextKey<T> key) {
    return Optional.ofNullable(settings.given.get(key)).map(key.type()::cast);
  }

  /// The clock of the run.
  public RunOptions clock(InstantSource source) {
    return with(s -> s.clock = source);
  }

  /// Where ids come from.
  public RunOptions ids(Ids source) {
    return with(s -> s.ids = source);
  }

  /// Limits how often failed nodes may be tried again in the whole run, whatever their policies
  /// say; 1,000 times unless set.
  public RunOptions retryBudget(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("retryBudget must not be negative, was " + retries);
    }
    return with(s -> s.retryBudget = retries);
  }

  /// Limits the time of the run. When it is over, the nodes are interrupted, and the run ends as
  /// stopped and can be resumed. Each node of such a run has a thread of its own, so that a node
  /// which ignores the interruption can be abandoned.
  public RunOptions deadline(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("deadline must be positive, was " + most);
    }
    return with(s -> s.deadline = most);
  }

  /// Sets the cache for nodes whose policy allows a cached result. Without a cache those nodes run
  /// each time.
  public RunOptions cache(NodeCache cache) {
    return with(s -> s.cache = cache);
  }

  /// Sets the long-term store, for memory beyond this thread; nodes find it by
  /// [dev.superstep.node.NodeContext#store].
  public RunOptions store(Store store) {
    return with(s -> s.store = store);
  }

  /// Limits how often tasks may begin in this run, retries and the tasks of subgraphs included.
  /// Tasks that come too early wait.
  public RunOptions rate(Rate rate) {
    return with(s -> s.rate = rate);
  }

  /// Sets how long the thread stays locked after the run's process died or lost the store; 20
  /// seconds unless set. A running run renews its lease five times in that time.
  public RunOptions lease(Duration time) {
    if (time.compareTo(LEASE_MIN) < 0) {
      throw new IllegalArgumentException("lease must be at least 10 ms, was " + time);
    }
    return with(s -> s.lease = time);
  }

  /// Lets the run wait for its thread while another run holds it, in this process or in another
  /// one, such as one that was killed and whose lease has not expired yet. Without it, or once the
  /// time is up, the run fails with [dev.superstep.checkpoint.ThreadBusy]. The time does not count
  /// towards [#deadline].
  public RunOptions waitForLease(Duration most) {
    if (most.isNegative()) {
      throw new IllegalArgumentException("waitForLease must not be negative, was " + most);
    }
    return with(s -> s.leaseWait = most);
  }

  /// Sets the time in which an approval must be used once it was given; 24 hours unless set. After
  /// that its node asks again. An approval is used at once, unless the process dies before that or
  /// the run is stopped.
  ///
  /// @see dev.superstep.node.Question#asApproval
  public RunOptions approvalTime(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("approvalTime must be positive, was " + most);
    }
    return with(s -> s.approvalTime = most);
  }

  /// Sets when the run's results are saved; before it continues unless set.
  public RunOptions durability(Durability when) {
    return with(s -> s.durability = when);
  }

  /// Writes the events of the run to the journal of its thread, each in the transaction that saves
  /// what the event is about; without what programs, models and people said: [Redaction#payloads].
  ///
  /// @see dev.superstep.journal.ThreadJournal
  public RunOptions journal() {
    return journal(Redaction.payloads());
  }

  /// Writes a journal with other parts of the events left out, or with none left out:
  /// [Redaction#none].
  public RunOptions journal(Redaction redaction) {
    return with(s -> s.journal = redaction);
  }

  /// Adds migrations, for threads that other shapes of the graph or of its subgraphs saved.
  public RunOptions migrations(Migration... more) {
    return with(s -> s.migrations = plus(s.migrations, List.of(more)));
  }

  /// When a thread is resumed, runs those tasks again, too, that wait for answers which are not
  /// given: for nodes that look at something else before they ask, such as commands from outside. A
  /// node that asks its question again waits for the same answer as before.
  public RunOptions rerunWaiting() {
    return with(s -> s.rerunsWaiting = true);
  }

  /// Lets new input begin on a thread that has work left: the tasks that are due are discarded
  /// first, with their open questions, in a checkpoint of its own. What they did outside is not
  /// done again in silence: [dev.superstep.node.Effect]. Without it such a thread is refused.
  public RunOptions discardPending() {
    return with(s -> s.discardsPending = true);
  }

  /// Resumes a thread that another shape of the graph saved, without any migration. All channels
  /// that have values and all nodes that are due must still exist. More channels are always allowed
  /// if nothing else has changed, and if nothing is due or they begin with a value.
  public RunOptions allowTopologyChange() {
    return with(s -> s.topologyChange = true);
  }

  /// Saves each time that a node reads from [dev.superstep.node.NodeContext#clock], as a step of
  /// its task: a node that runs again, or that is replayed, sees the same times. Costs one write
  /// for each reading.
  ///
  /// @see Replay
  public RunOptions recorded() {
    return with(s -> s.recorded = true);
  }

  /// Sets the waits of the run: before it tries a node again, and for its turn under a rate.
  public RunOptions sleeper(Sleeper sleeper) {
    return with(s -> s.sleeper = sleeper);
  }

  /// Sets the drain that this run shares with others; [that of the process][Drain#ofProcess] unless
  /// set. Not for runs that the nodes of other runs begin: those end with the node.
  public RunOptions drain(Drain shared) {
    return with(s -> s.drain = shared.runs());
  }

  /// Sets breakpoints of this run, beside those of its graph. They are not saved: each call needs
  /// them again.
  public RunOptions breakpoints(Breakpoints places) {
    return with(s -> s.breakpoints = s.breakpoints.and(places));
  }

  /// Sets the matrix that learns from the run and may choose in place of its routers; none unless
  /// set. Its choices are saved in the checkpoints.
  public RunOptions matrix(MatrixHook hook) {
    return with(s -> s.matrix = hook);
  }

  /// The metadata of the run, by name.
  public Map<String, String> metadata() {
    return settings.metadata();
  }

  /// The thread that the run is on, if it is on one.
  public Optional<String> thread() {
    return settings.thread();
  }

  /// The store of the thread, if there is one.
  public Optional<Checkpointer> checkpointer() {
    return settings.checkpointer();
  }

  /// The clock of the run.
  public InstantSource clock() {
    return settings.clock();
  }

  /// The options as the engine knows them.
  RunSettings settings() {
    return settings;
  }

  private RunOptions with(Consumer<RunSettings> change) {
    return new RunOptions(settings.with(change));
  }

  private static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
    var more = new LinkedHashMap<>(map);
    more.put(key, value);
    return Collections.unmodifiableMap(more);
  }

  private static <T> List<T> plus(List<T> some, List<T> more) {
    var all = new ArrayList<>(some);
    all.addAll(more);
    return Collections.unmodifiableList(all);
  }

  /// The options that differ from the defaults, without values that may be secret: labels, metadata
  /// and what is given are told by their names.
  @Override
  public String toString() {
    return "RunOptions" + settings.changed();
  }
}
