package dev.superstep.graph.internal.execution;

import dev.superstep.call.EffectCall;
import dev.superstep.call.LimitedCall;
import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.InvalidUse;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.event.TextPiece;
import dev.superstep.graph.internal.kernel.ApprovalReceipts;
import dev.superstep.graph.internal.kernel.AttemptPhase;
import dev.superstep.graph.internal.kernel.EngineContext;
import dev.superstep.graph.internal.kernel.EngineThreads;
import dev.superstep.graph.internal.kernel.Interrupts;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Effect;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.SuperstepLog;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The context of one task, or of one item of a [dev.superstep.graph.Parallel] in it. For the
/// thread of its node, or of its item.
public final class TaskContext implements EngineContext {
  private final RunScope scope;
  private final Task task;
  private final Map<String, Json> answers;
  private @Nullable AttemptPhase phase;
  private final int attempt;
  private final @Nullable AttemptDeadline watch;
  private boolean returned;
  // Items learn, too, and one that is left behind may do so at any time.
  private volatile boolean learned;
  private List<Interrupt> open = List.of();
  private Outcome.@Nullable Reason stopped;
  private @Nullable RandomGenerator random;
  private @Nullable Instant approvedAt;
  private final @Nullable TaskContext outer;
  private final String place;
  private @Nullable TaskRun lone;
  private volatile boolean abandoned;
  private boolean split;

  /// @param watch over a node whose time is limited
  TaskContext(
      RunScope scope, Task task, Map<String, Json> answers, @Nullable AttemptDeadline watch) {
    this.scope = scope;
    this.task = task;
    this.answers = answers;
    this.attempt = task.attempts();
    this.watch = watch;
    this.outer = null;
    this.place = "";
  }

  private TaskContext(TaskContext outer, String place, AttemptDeadline watch) {
    this.scope = outer.scope;
    this.task = outer.task;
    this.answers = outer.answers;
    this.attempt = outer.attempt;
    this.watch = watch;
    this.outer = outer;
    this.place = place;
    this.phase = AttemptPhase.step(place);
  }

  /// Returns the context of the rest of the node, after the thread of this one was left behind.
  TaskContext successor() {
    var next = new TaskContext(scope, task, answers, watch).lone(lone);
    next.phase = phase;
    next.learned = learned;
    next.open = open;
    return next;
  }

  /// @param run the run of the task, if its thread can be left behind
  TaskContext lone(@Nullable TaskRun run) {
    lone = run;
    return this;
  }

  /// The thread of the node was left behind.
  void abandon() {
    abandoned = true;
  }

  private boolean isOver() {
    return abandoned || (watch != null && watch.isOver()) || (outer != null && outer.isOver());
  }

  Map<String, Json> answers() {
    return answers;
  }

  @Override
  public boolean isExpendable() {
    return lone != null && !split;
  }

  @Override
  public <T> NodeResult call(LimitedCall<T> call) throws Exception {
    checkMayAct();
    return Objects.requireNonNull(lone).call(call, this);
  }

  @Override
  public Duration approvalTime() {
    return scope.options().approvalTime();
  }

  @Override
  public Optional<Instant> approvedAt() {
    return Optional.ofNullable(approvedAt);
  }

  @Override
  public Runnable carried(Runnable work) {
    return scope.options().carried(work);
  }

  @Override
  public String node() {
    return task.node();
  }

  @Override
  public int step() {
    return task.step();
  }

  @Override
  public int limit() {
    return scope.limit();
  }

  @Override
  public Activation activation() {
    return task.due().activation();
  }

  @Override
  public String task() {
    return place.isEmpty() ? task.id() : task.id() + "/" + place;
  }

  @Override
  public List<String> enclosingTasks() {
    var tasks = new ArrayList<String>();
    for (var at = scope.enclosing(); at != null; at = at.scope().enclosing()) {
      tasks.addFirst(at.task().id());
    }
    return tasks;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public void heartbeat() {
    if (watch != null) watch.sign(System.nanoTime());
  }

  @Override
  public String run() {
    return scope.run();
  }

  @Override
  public Optional<String> thread() {
    return scope.options().thread();
  }

  @Override
  public Map<String, String> metadata() {
    return scope.options().metadata();
  }

  @Override
  public <T> T get(ContextKey<T> key) {
    return find(key).orElseThrow(() -> InvalidUse.missingContextValue(task.node(), key));
  }

  @Override
  public <T> Optional<T> find(ContextKey<T> key) {
    return Optional.ofNullable(scope.options().given(key));
  }

  @Override
  public <T> T shared(ContextKey<T> key, Supplier<T> make) {
    return key.type().cast(scope.limits().shared(key, make));
  }

  @Override
  public boolean isPersistent() {
    return scope.isPersistent();
  }

  @Override
  public Store store() {
    var store = scope.options().store();
    if (store == null) throw InvalidUse.missingStore(task.node());
    task.saveSteps();
    return store;
  }

  @Override
  public InstantSource clock() {
    var clock = scope.options().clock();
    if (task.stepResults() == null || !scope.options().isRecorded()) return clock;
    return () -> steps().time(clock);
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    heartbeat();
    if (isCancelled()) throw new InterruptedException("the run was cancelled");
    task.saveSteps();
    scope.options().sleeper().sleep(time);
    heartbeat();
  }

  @Override
  public RandomGenerator random() {
    var made = random;
    if (made == null) {
      made = new SplittableRandom(task().hashCode() * 0x9E3779B97F4A7C15L);
      random = made;
    }
    return made;
  }

  @Override
  public <P, A> A interrupt(Question<P, A> question, P payload) {
    checkMayAct();
    Interrupts.check(scope.identity(), task, question);
    var id = Interrupts.id(task, phase(), phase().ask());
    // An approval of something else does not count, and neither does one that has lapsed.
    while (answers.containsKey(id)) {
      learn();
      if (ApprovalReceipts.holds(id, question, payload, answers)) {
        approvedAt = ApprovalReceipts.time(id, answers);
        return question.answer().decode(Objects.requireNonNull(answers.get(id)));
      }
      id = Interrupts.id(task, phase(), phase().ask());
    }
    open = List.of(Interrupts.asked(id, task, phase(), question, payload));
    throw new SuspendSignal(id);
  }

  @Override
  public Optional<String> resumePoint() {
    return Optional.ofNullable(task.question()).map(Interrupt::point);
  }

  @Override
  public <A> A answer(Question<?, A> question) {
    var asked = task.question();
    var name = question.name();
    if (asked == null || !asked.question().equals(name)) {
      throw InvalidUse.noAnswer(task.node(), name, asked == null ? "" : asked.question());
    }
    Interrupts.check(scope.identity(), task, question);
    return question.answer().decode(Objects.requireNonNull(answers.get(asked.id())));
  }

  @Override
  public NodeResult nested(NestedCall nested) throws InterruptedException {
    checkMayAct();
    if (!answers.isEmpty()) learn();
    var parent = new ParentTask(scope.identity(), task, watch == null ? null : watch::isOver);
    var call = new SubgraphRunner.Call(scope, parent, nested, answers);
    return switch (scope.subgraphs().run(call)) {
      case SubgraphRunner.End.Completed(var result) -> result;
      case SubgraphRunner.End.Asked(var questions) -> throw suspended(questions);
      case SubgraphRunner.End.Stopped(var reason) -> throw stopped(reason);
    };
  }

  @Override
  public String insideTask(String key) {
    return task.id() + "/" + phase().inside(key);
  }

  @Override
  public InsideEnd inside(InsideCall call) throws InterruptedException {
    checkMayAct();
    if (!answers.isEmpty()) learn();
    var own = task.id() + "/" + phase().useInside(task.node(), call.key());
    var graph = new InsideGraph(scope, task, call, own);
    BooleanSupplier isOver = watch == null ? null : watch::isOver;
    return switch (graph.run(answers, isOver)) {
      case InsideGraph.End.Ended(var end) -> end;
      case InsideGraph.End.Asked(var questions) -> throw suspended(questions);
      case InsideGraph.End.Stopped(var reason) -> throw stopped(reason);
    };
  }

  private SuspendSignal stopped(Outcome.Reason reason) throws InterruptedException {
    if (!isResumable(reason)) throw new InterruptedException(reason.name());
    stopped = reason;
    return new SuspendSignal();
  }

  /// Returns whether a subgraph that stopped for this reason continues when the run does, so that
  /// its task is not over.
  private static boolean isResumable(Outcome.Reason why) {
    return switch (why) {
      case PAUSED, TASK_LIMIT, DRAINED -> true;
      case CANCELLED, DEADLINE -> false;
    };
  }

  /// The reason why the subgraph of the node has stopped, if it is to be resumed; else null.
  Outcome.@Nullable Reason stopped() {
    return stopped;
  }

  /// Returns whether the node would return the same in another run, as far as its use of this
  /// context shows: it learned nothing from people, and somebody still waits for it.
  boolean isRepeatable() {
    return !learned && open.isEmpty() && stopped == null && !isOver();
  }

  /// The questions that the node left open, even if it caught what should have ended it.
  List<Interrupt> open() {
    return open;
  }

  @Override
  public <T> T step(String key, Class<T> type, Callable<T> effect) throws Exception {
    return step(key, type, Retry.never(), effect);
  }

  @Override
  public <T> T step(String key, Class<T> type, Retry retry, Callable<T> effect) throws Exception {
    checkMayAct();
    return steps().step(key, Codec.of(type), retry, effect);
  }

  @Override
  public <T> T step(String key, Effect effect, Class<T> type, Callable<T> body) throws Exception {
    checkMayAct();
    return steps().step(key, effect, Codec.of(type), body);
  }

  @Override
  public EffectCall begin(String name, Effect effect) throws Exception {
    checkMayAct();
    return steps().begin(name, effect);
  }

  @Override
  public <T> T call(String key, String request, Class<T> type, Callable<T> effect)
      throws Exception {
    checkMayAct();
    return steps().call(key, request, Codec.of(type), effect);
  }

  @Override
  public <T> T lastCall(String key, String request, Class<T> type, Callable<T> effect)
      throws Exception {
    // An item ends before its node does.
    if (outer != null) return call(key, request, type, effect);
    checkMayAct();
    return steps().lastCall(key, request, Codec.of(type), effect);
  }

  @Override
  public <T> SuperstepLog<T> log(String name, Class<T> type) {
    var log = task.records().log(name, type);
    return new SuperstepLog<>() {
      @Override
      public String add(T entry) {
        task.saveSteps();
        try {
          return log.add(entry);
        } catch (StoreFailed | LeaseLost e) {
          task.unsaved(e);
          throw e;
        }
      }

      @Override
      public Map<String, T> entries() {
        return log.entries();
      }
    };
  }

  /// Refuses further effects of a node that caught its suspension, or that nobody waits for any
  /// more. What it did before is saved first.
  void checkMayAct() {
    checkRecordable();
    if (isCancelled()) throw new AttemptAbandoned();
    task.saveSteps();
  }

  /// Nothing begins once the run was asked to stop.
  void checkMayBegin() {
    if (isCancelled() || isOver()) throw new AttemptAbandoned();
  }

  @Override
  public boolean isCancelled() {
    return scope.limits().isCancelled();
  }

  void checkRecordable() {
    if (isOver()) throw new AttemptAbandoned();
    if (!open.isEmpty()) throw new SuspendSignal(open.getFirst().id());
    if (stopped != null) throw new SuspendSignal();
    if (split) throw InvalidUse.contextShared(task.node());
  }

  /// A result saved in an earlier run was used: it may depend on an answer.
  void recalled() {
    if (!answers.isEmpty()) learn();
  }

  private void learn() {
    learned = true;
    if (outer != null) outer.learn();
  }

  /// Gives way to items, each with a fork of this, until [#join].
  ///
  /// @return the place of these items
  String split() {
    checkMayAct();
    var items = phase().split();
    split = true;
    return items;
  }

  /// All items have ended.
  void join() {
    split = false;
  }

  /// Returns the deadline of an item; it has passed as well once nobody waits for the node.
  AttemptDeadline watch(@Nullable Duration most) {
    return new AttemptDeadline(watch, most, System.nanoTime());
  }

  TaskContext fork(String item, AttemptDeadline itsWatch) {
    return new TaskContext(this, item, itsWatch);
  }

  /// Publishes that an item has begun, for listeners that requested it.
  void forked(String item) {
    if (!isForkWanted()) return;
    var fork = task.id() + "/" + item;
    publish(Detail.FORKS, at -> new Event.ContextForked(at, task.node(), task.id(), fork));
  }

  /// Publishes that an item has ended, for listeners that requested it.
  void joined(String item, Event.ContextJoined.How how, Duration took) {
    if (!isForkWanted()) return;
    var fork = task.id() + "/" + item;
    publish(
        Detail.FORKS, at -> new Event.ContextJoined(at, task.node(), task.id(), fork, how, took));
  }

  private boolean isForkWanted() {
    return scope.publisher().isWanted(Detail.FORKS) && hasListeners();
  }

  Thread start(Runnable item) {
    return EngineThreads.start(scope.run(), task.node(), scope.carried(item));
  }

  /// Leaves the node, by what is thrown then, until these questions are answered.
  SuspendSignal suspended(List<Interrupt> questions) {
    open = questions;
    return new SuspendSignal(questions.getFirst().id());
  }

  /// The steps of the node, or of the item.
  StepRunner steps() {
    return new StepRunner(this, scope, task);
  }

  AttemptPhase phase() {
    var at = phase;
    if (at == null) phase = at = AttemptPhase.node();
    return at;
  }

  /// The part of the node's code that runs from now on.
  void phase(AttemptPhase next) {
    phase = next;
  }

  @Override
  public boolean hasListeners() {
    return scope.publisher().hasListeners() && !isOver();
  }

  @Override
  public void emitText(TextPiece piece) {
    heartbeat();
    if (!hasListeners()) return;
    publish(
        null,
        at -> new Event.TextArrived(at.asProvisional(), task.node(), task.id(), attempt, piece));
  }

  @Override
  public <W> void emit(Channel<?, W> channel, W piece) {
    heartbeat();
    scope.graph().checkWrite(task.due().node(), channel);
    if (!hasListeners() || !channel.isTracked()) return;
    var json = channel.writes().encode(piece);
    var name = channel.name();
    publish(
        null,
        at ->
            new Event.PieceArrived(
                at.asProvisional(), task.node(), task.id(), attempt, name, json));
  }

  @Override
  public void emit(String name, Object payload) {
    heartbeat();
    if (!hasListeners()) return;
    var json = Json.of(payload);
    publish(
        null, at -> new Event.NodeEmitted(at.asProvisional(), task.node(), task.id(), name, json));
  }

  // A thread that the node left behind must not be heard after the end of the task.
  private synchronized void publish(@Nullable Detail detail, Function<Origin, Event> fact) {
    if (returned) return;
    if (outer != null) {
      outer.publish(detail, fact);
      return;
    }
    try {
      scope.publisher().publish(detail, task.step(), fact);
    } catch (StoreFailed | LeaseLost e) {
      // A journal that could not take any more had to be saved.
      task.unsaved(e);
      throw e;
    }
  }

  /// The node, or the item, has returned or thrown.
  synchronized void end() {
    returned = true;
  }
}
