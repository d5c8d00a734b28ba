package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.execution.HitBreakpoints;
import dev.superstep.graph.internal.execution.RunControl;
import dev.superstep.graph.internal.execution.RunLimits;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.ActiveRuns;
import dev.superstep.graph.internal.kernel.ApprovalReceipts;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.persistence.CancellationToken;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.JournalWriter;
import dev.superstep.graph.internal.persistence.OpenQuestions;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.persistence.StoreRequirements;
import dev.superstep.graph.internal.persistence.ThreadLeases;
import dev.superstep.graph.internal.persistence.TransientWriter;
import dev.superstep.graph.internal.persistence.WriteStrategy;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.graph.internal.publish.EventPublisher;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A single use of a graph with certain options: loads the thread, runs the loop, publishes the
/// outcome. One thread at a time.
public final class Session implements ActiveRuns.ActiveRun {
  private static final Duration LEASE_POLL = Duration.ofMillis(100);

  private final CompiledGraph graph;
  private final RunSettings options;
  private final String run;
  private final EventPublisher publisher;
  private final int depth;
  private final RunLimits limits;
  private final HitBreakpoints hitBreakpoints;
  private final @Nullable ActiveRuns drain;
  // Null until it is needed: a run of a stored thread writes by the one that its lease gives it.
  private @Nullable RunWriter writer;
  private @Nullable ThreadLeases threadLeases;
  private @Nullable RunLoop loop;

  public Session(CompiledGraph graph, RunSettings options) {
    this(graph, options, null);
  }

  /// @param stream what can drain and cancel the run, if anything can
  private Session(CompiledGraph graph, RunSettings options, @Nullable RunControl stream) {
    this.graph = graph;
    this.options = options;
    this.run = options.ids().next();
    this.publisher = new EventPublisher(run, graph.name(), options);
    if (isPersistent()) {
      var _ = threadName(options);
    } else if (options.taskLimit() != null) {
      throw noCheckpointer();
    }
    this.depth = NestingDepth.next();
    NestingDepth.check(depth, graph.name(), List.of());
    // A run that a node begins is a part of its work, and of the superstep that is still to end.
    this.drain = options.drain().orElse(depth == 0 ? ActiveRuns.ofProcess() : null);
    this.limits = new RunLimits(graph, options, stream, drain);
    this.hitBreakpoints = new HitBreakpoints();
  }

  private boolean isPersistent() {
    return options.checkpointer().isPresent();
  }

  private RunWriter writer() {
    var known = writer;
    if (known == null) {
      var store = options.checkpointer().orElse(null);
      known =
          store == null
              ? new TransientWriter(run, false)
              : CheckpointWriter.reading(graph, store, Lineage.of(threadName(options)), options);
      writer = known;
    }
    return known;
  }

  /// A way to use a session.
  @FunctionalInterface
  public interface Use {
    Outcome in(Session session) throws InterruptedException;
  }

  /// A use of a session that can be cancelled and drained from outside, and then ends as stopped.
  public static Outcome controlled(
      CompiledGraph graph, RunSettings options, RunControl control, Use use)
      throws InterruptedException {
    var session = new Session(graph, options, control);
    try {
      return use.in(session);
    } catch (InterruptedException e) {
      if (!control.isCancelled()) throw e;
      return session.stopped();
    }
  }

  public Outcome invoke(Input input) throws InterruptedException {
    BreakpointCheck.check(graph, options, isPersistent());
    return entered(() -> holding(() -> begin(input), true));
  }

  private Outcome begin(Input input) throws InterruptedException {
    var loaded = writer().load();
    if (options.discardsPending && loaded.filter(l -> isUnfinished(l)).isPresent()) {
      discardPending(loaded.get());
      loaded = writer().load();
    }
    loaded.ifPresent(this::checkFinished);
    var from =
        loaded
            .map(CheckpointWriter.LoadedCheckpoint::snapshot)
            .orElse(Snapshot.initial(graph.index()));
    return run(
        from.step() + 1,
        false,
        (loop, batch) -> loop.run(loop.input(from, input, batch), ResumeRecords.NONE));
  }

  private static boolean isUnfinished(CheckpointWriter.LoadedCheckpoint loaded) {
    return !loaded.snapshot().position().due().isEmpty();
  }

  private void discardPending(CheckpointWriter.LoadedCheckpoint loaded) {
    new StateEditor(scope(loaded.snapshot().step()), checkpointWriter()).discard(loaded);
  }

  public Outcome resume(Answers answers) throws InterruptedException {
    BreakpointCheck.check(graph, options, isPersistent());
    if (!isPersistent()) throw noCheckpointer();
    boolean isAnswering = !answers.all().isEmpty();
    return entered(() -> holding(() -> resumeWith(answers), isAnswering));
  }

  /// Known to the run's drain as long as the run is at work.
  private Outcome entered(LeasedWork work) throws InterruptedException {
    if (drain != null) drain.enter(this);
    try {
      return listening(work);
    } finally {
      if (drain != null) drain.leave(this);
      limits.closeShared();
    }
  }

  @Override
  public String graph() {
    return graph.name();
  }

  @Override
  public String run() {
    return run;
  }

  @Override
  public Optional<String> thread() {
    return options.thread();
  }

  /// Where the run is on its caller's thread, that is interrupted to cancel it.
  private Outcome listening(LeasedWork work) throws InterruptedException {
    if (limits.isOnlyCancelledBySwitch()) return work.get();
    limits.listen();
    try {
      return work.get();
    } finally {
      limits.release();
    }
  }

  private Outcome resumeWith(Answers answers) throws InterruptedException {
    var loaded = load();
    var accepted = new ArrayList<Answer>();
    var named = new HashSet<String>();
    var thread = checkpointWriter().thread();
    var open = answers.all().isEmpty() ? null : new OpenQuestions(thread, loaded, open(loaded));
    for (var answer : answers.all()) {
      var fitting = checked(Objects.requireNonNull(open), answer);
      if (!named.add(fitting.interrupt())) {
        throw new AnswerRejected(fitting.interrupt(), "it is answered twice here.", null);
      }
      accepted.add(fitting);
    }
    var now = options.clock().instant();
    var saved = new ArrayList<Answer>(accepted);
    if (open != null) saved.addAll(open.receipts(accepted, graph, now));
    saved.addAll(ApprovalReceipts.lapsed(loaded.answers(), thread, now, options.approvalTime()));
    var known = new HashMap<>(loaded.answers());
    for (var answer : saved) known.put(answer.interrupt(), answer.value());
    var before = new ResumeRecords(loaded.tasks(), known, loaded.steps()).in(options);
    int step = loaded.snapshot().step();
    return run(
        step,
        true,
        (loop, batch) -> {
          loop.show(loaded.snapshot(), batch);
          for (var answer : accepted) {
            batch.publish(
                step + 1, o -> new Event.InterruptAnswered(o, answer.interrupt(), answer.value()));
          }
          checkpointWriter().answer(loaded.checkpoint().id(), saved, batch);
          batch.publish();
          return loop.run(loaded.snapshot(), before);
        });
  }

  public Optional<ThreadState> state() {
    return checkpointWriter().load().map(this::state);
  }

  /// Returns the state of the thread at a checkpoint, or empty if there is no such checkpoint.
  public Optional<ThreadState> state(String checkpoint) {
    return checkpointWriter().load(checkpoint).map(this::state);
  }

  /// The checkpoints of the thread, newest first.
  public List<Checkpoint> history(Optional<String> before, int limit) {
    return checkpointWriter().page(before, limit);
  }

  public ThreadState update(List<StateUpdate> edits) {
    if (edits.isEmpty() && !options.discardsPending) {
      throw new IllegalArgumentException("there must be at least one edit");
    }
    var store = options.checkpointer().orElseThrow(() -> noCheckpointer());
    var token = new CancellationToken(Thread.currentThread(), limits::cancel);
    // Nothing that it does takes long enough to be stopped.
    token.end();
    StoreRequirements.check(graph, options, store);
    try (var threadLeases = new ThreadLeases(options, threadName(options), run, token)) {
      hold(threadLeases, threadLeases.acquire(store));
      var loaded = checkpointWriter().load();
      int step = loaded.map(l -> l.snapshot().step()).orElse(0);
      var editor = new StateEditor(scope(step), checkpointWriter());
      if (loaded.isEmpty()) editor.applyFirst(edits);
      else if (!edits.isEmpty()) editor.apply(loaded.get(), edits);
      if (options.discardsPending) editor.discard(load());
      finish();
      return state().orElseThrow();
    }
  }

  private Outcome stopped() {
    return new Outcome.Stopped(Outcome.Reason.CANCELLED, reached());
  }

  private Snapshot reached() {
    var at = loop == null ? null : loop.reached();
    if (!isPersistent() && at != null) return at;
    return writer()
        .load()
        .map(CheckpointWriter.LoadedCheckpoint::snapshot)
        .orElse(Snapshot.initial(graph.index()));
  }

  /// Work to do while nobody else can write to the thread.
  @FunctionalInterface
  private interface LeasedWork {
    Outcome get() throws InterruptedException;
  }

  /// Holds the lease of the thread, if there is one, until the run is over and everything is saved.
  ///
  /// @param writesFirst whether the work begins with a write, before anything runs
  private Outcome holding(LeasedWork work, boolean writesFirst) throws InterruptedException {
    var store = options.checkpointer().orElse(null);
    if (store == null) return work.get();
    StoreRequirements.check(graph, options, store);
    var token = new CancellationToken(Thread.currentThread(), limits::cancel);
    try (var threadLeases = new ThreadLeases(options, threadName(options), run, token)) {
      hold(threadLeases, awaited(threadLeases, store, writesFirst));
      return stoppable(() -> acquiring(work, threadLeases, store), token);
    }
  }

  /// Acquires the thread, and waits for it as long as the options allow while another run holds it.
  private WriteStrategy awaited(ThreadLeases held, Checkpointer store, boolean writesFirst)
      throws InterruptedException {
    var end = System.nanoTime() + options.leaseWait().toNanos();
    while (true) {
      try {
        return writesFirst ? held.acquireWithFirstWrite(store) : held.acquire(store);
      } catch (ThreadBusy e) {
        if (System.nanoTime() >= end) throw e;
        options.sleeper.sleep(LEASE_POLL);
      }
    }
  }

  /// Does work that acquires the thread with its first write. If it fails before that, it is done
  /// again with the thread acquired: what it has read may have changed in between.
  private Outcome acquiring(LeasedWork work, ThreadLeases held, Checkpointer store)
      throws InterruptedException {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      if (!held.isPending() || e instanceof StoreFailed) throw e;
      hold(held, awaited(held, store, false));
      return work.get();
    }
  }

  private void hold(ThreadLeases held, WriteStrategy writes) {
    threadLeases = held;
    writer =
        CheckpointWriter.writing(graph, writes, Lineage.of(threadName(options)), null, options);
    var redaction = options.journaling();
    if (redaction != null) publisher.journalTo(new JournalWriter(redaction, writes));
  }

  private Outcome stoppable(LeasedWork work, CancellationToken token) throws InterruptedException {
    try {
      return work.get();
    } catch (InterruptedException e) {
      var lost = token.lost();
      if (lost != null) throw lost;
      if (!token.isRequested()) throw e;
      return stopped();
    } finally {
      token.end();
    }
  }

  /// Work to do with the loop.
  @FunctionalInterface
  private interface Work {
    /// @param batch the events to publish with the first write
    Outcome with(RunLoop loop, EventBatch batch) throws InterruptedException;
  }

  private Outcome run(int from, boolean resumed, Work work) throws InterruptedException {
    var scope = scope(from);
    var batch = new EventBatch(publisher);
    var first = isPending() ? batch : publisher;
    first.publish(from, o -> new Event.RunStarted(o, resumed));
    try {
      var outcome =
          NestingDepth.at(
              depth,
              () -> {
                loop = new RunLoop(scope, writer());
                return work.with(loop, batch);
              });
      // The end is published only once it is safe.
      if (threadLeases != null) threadLeases.settle();
      // From here on the caller knows that it paused, so it must not do so again.
      if (outcome instanceof Outcome.Stopped(var why, _)) hitBreakpoints.mark(why, run);
      announce(outcome);
      finish();
      return outcome;
    } catch (RuntimeException | Error e) {
      // It has not begun.
      if (isPending()) throw e;
      var code = e instanceof SuperstepException known ? known.code() : "internal";
      settle(e);
      publisher.publish(o -> new Event.RunFailed(o, code, NodeFailed.why(e)));
      finish(e);
      throw e;
    } catch (InterruptedException e) {
      if (isPending()) throw e;
      settle(e);
      publisher.publish(o -> new Event.RunStopped(o, Outcome.Reason.CANCELLED.name()));
      finish(e);
      throw e;
    }
  }

  /// Returns whether the thread is still to be acquired, so that nothing may be published.
  private boolean isPending() {
    return threadLeases != null && threadLeases.isPending();
  }

  /// Saves what is still to be saved, the last of the journal with it.
  private void finish() {
    var journal = publisher.journal();
    if (journal != null) journal.flush();
    if (threadLeases != null) threadLeases.settle();
  }

  /// Completes pending writes, so that everything published before the end is safe when the end is
  /// published.
  private void settle(Throwable why) {
    try {
      if (threadLeases != null) threadLeases.settle();
    } catch (RuntimeException e) {
      if (!e.equals(why)) why.addSuppressed(e);
    }
  }

  /// Finishes a run that has failed; an error in finishing is added to that failure.
  private void finish(Throwable why) {
    try {
      finish();
    } catch (RuntimeException e) {
      // An earlier failure to save repeats here.
      if (!e.equals(why)) why.addSuppressed(e);
    }
  }

  private RunScope scope(int from) {
    int limit = Math.addExact(from, options.stepLimit(graph.stepLimit(), false));
    var identity = new RunIdentity(graph, run, limit, depth, isPersistent(), options, null);
    return new RunScope(
        identity, publisher, limits, threadLeases, hitBreakpoints, SubgraphRun::run);
  }

  private void announce(Outcome outcome) {
    switch (outcome) {
      case Outcome.Completed(var state) ->
          publisher.publish(((Snapshot) state).step(), Event.RunCompleted::new);
      case Outcome.Interrupted(var questions) -> {
        publisher.publish(
            o -> new Event.RunInterrupted(o, questions.stream().map(Interrupt::id).toList()));
      }
      case Outcome.Stopped(var reason, _) ->
          publisher.publish(o -> new Event.RunStopped(o, reason.name()));
    }
  }

  private void checkFinished(CheckpointWriter.LoadedCheckpoint loaded) {
    var due = loaded.snapshot().position().due();
    if (due.isEmpty()) return;
    var open = open(loaded).stream().map(Interrupt::id).toList();
    throw new ThreadError(
        checkpointWriter().thread(),
        ThreadError.Reason.UNFINISHED,
        open.isEmpty()
            ? "has work left: "
                + due.stream().map(d -> d.node().name()).distinct().toList()
                + ". Resume it before you give it new input."
            : "waits for answers to " + open + ". Answer them before you give it new input.");
  }

  private Answer checked(OpenQuestions open, Answer answer) {
    var interrupt = open.addressed(answer);
    var question = graph.question(interrupt.question());
    if (question == null) throw InvalidUse.undeclaredQuestion(graph.name(), interrupt.question());
    try {
      var refusal = question.refusal(answer.value());
      if (refusal.isEmpty()) {
        var value = ValueOverLimit.checked(answer.value(), "answer to", question.name());
        return new Answer(interrupt.id(), value);
      }
      throw new AnswerRejected(answer.interrupt(), refusal.get() + ".", null);
    } catch (MalformedJson e) {
      throw new AnswerRejected(answer.interrupt(), String.valueOf(e.getMessage()), e);
    }
  }

  private ThreadState state(CheckpointWriter.LoadedCheckpoint loaded) {
    return tree(loaded).state(graph, loaded, options, List.of());
  }

  private List<Interrupt> open(CheckpointWriter.LoadedCheckpoint loaded) {
    return tree(loaded).open(graph, loaded);
  }

  private ThreadSnapshot tree(CheckpointWriter.LoadedCheckpoint loaded) {
    return new ThreadSnapshot(checkpointWriter().thread(), loaded.answers());
  }

  private CheckpointWriter.LoadedCheckpoint load() {
    return checkpointWriter()
        .load()
        .orElseThrow(() ->
            new ThreadError(
                checkpointWriter().thread(),
                ThreadError.Reason.UNKNOWN,
                "is unknown here. Check its name and the store."));
  }

  private CheckpointWriter checkpointWriter() {
    if (writer() instanceof CheckpointWriter kept) return kept;
    throw noCheckpointer();
  }

  private static IllegalArgumentException noCheckpointer() {
    return new IllegalArgumentException(
        "options must name a thread and its checkpoints, as in"
            + " `RunOptions.thread(\"t-42\").checkpoints(store)`");
  }

  private static String threadName(RunSettings options) {
    return options
        .thread()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "options must name a thread, as in `RunOptions.thread(\"t-42\")`"));
  }
}
