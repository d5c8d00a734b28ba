package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.execution.RunLimits;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SubgraphRunner;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.graph.internal.kernel.SubgraphResult;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.persistence.TransientWriter;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.graph.internal.publish.EventPublisher;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The run of a subgraph in a task, from its input or from where the same task left it. For the
/// thread of the task.
final class SubgraphRun {
  private final RunScope outer;
  private final ParentTask parent;
  private final SubgraphNode inside;
  private final CompiledGraph graph;
  private final RunSettings options;
  private final EventPublisher publisher;
  private final int depth;
  private final RunLimits limits;
  private final @Nullable Checkpointer store;
  private RunWriter writer;
  private @Nullable TaskResult handedOff;

  private SubgraphRun(SubgraphRunner.Call call) {
    var outer = call.outer();
    var parent = call.parent();
    var task = parent.task();
    this.outer = outer;
    this.parent = parent;
    this.inside = call.inside();
    this.graph = inside.graph();
    this.publisher = outer.publisher().within(task.name(), graph.name());
    this.depth = outer.depth() + 1;
    NestingDepth.check(depth, graph.name(), publisher.path());
    this.limits = outer.limits().within();
    this.store = outer.isPersistent() ? inside.store(outer.options()) : null;
    this.options = call.options().withCheckpointer(store);
    boolean isInsideKept = outer.isPersistent() || outer.identity().isInsidePersistent();
    this.writer = new TransientWriter(parent.task().id(), isInsideKept);
  }

  /// Runs the subgraph of a task.
  static SubgraphRunner.End run(SubgraphRunner.Call call) throws InterruptedException {
    var inside = new SubgraphRun(call);
    Outcome outcome;
    try {
      outcome = inside.run(call.nested().input(), call.state(), call.answers());
    } catch (StoreFailed | LeaseLost e) {
      // Of the engine: what nodes inside throw comes as the failure of a node.
      call.parent().task().unsaved(e);
      throw e;
    }
    return inside.end(outcome);
  }

  private SubgraphRunner.End end(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var state) ->
          new SubgraphRunner.End.Completed(result((Snapshot) state));
      case Outcome.Interrupted(var questions) ->
          new SubgraphRunner.End.Asked(inside.standing(questions));
      case Outcome.Stopped(var reason, _) -> new SubgraphRunner.End.Stopped(reason);
    };
  }

  /// @param input made only if there is no state to resume
  /// @param state of the outer graph
  /// @param answers what the outer run knows, by interrupt id
  private Outcome run(Supplier<Input> input, State state, Map<String, Json> answers)
      throws InterruptedException {
    var loaded = loaded();
    if (isMine(loaded)) {
      var own = loaded.orElseThrow();
      var from = inside.refilled(own.snapshot(), state);
      var known = new ResumeRecords(own.tasks(), answers, own.steps()).in(options);
      var loop = new RunLoop(scope(from.step()), writer);
      loop.show(from);
      return run(loop, from, known, own.tasks().containsKey(CheckpointWriter.LEFT));
    }
    var from = inside.from(loaded.map(CheckpointWriter.LoadedCheckpoint::snapshot), parent.task());
    var loop = new RunLoop(scope(from.step() + 1), writer);
    var made = inside.input(input.get(), parent.task(), state);
    var task = parent.task().id();
    publisher.publish(from.step() + 1, o -> new Event.SubgraphStarted(o, task));
    return run(loop, loop.input(from, made), ResumeRecords.NONE, false);
  }

  /// Finds where this activation is saved, and its state, or the memory of one before it.
  private Optional<CheckpointWriter.LoadedCheckpoint> loaded() {
    var threadLeases = outer.threadLeases();
    if (store == null || threadLeases == null) return Optional.empty();
    var thread = outer.options().thread().orElseThrow();
    var task = parent.task();
    var lines = inside.lineages(thread, task, publisher.path());
    var first =
        CheckpointWriter.writing(graph, threadLeases.on(store), lines.getFirst(), parent, options);
    writer = first;
    var loaded = first.load();
    if (lines.size() == 1 || isMine(loaded)) return loaded;
    var left = inside.left(task).orElseThrow();
    if (first.isAt(loaded, left.checkpoint())) return loaded;
    // Others went on from there: a past that was taken back, or that a crash undid.
    var own =
        CheckpointWriter.writing(graph, threadLeases.on(store), lines.getLast(), parent, options);
    writer = own;
    var apart = own.load();
    return apart.isPresent()
        ? apart
        : Optional.of(own.fork(outer.run(), lines.getFirst(), left.checkpoint()));
  }

  private boolean isMine(Optional<CheckpointWriter.LoadedCheckpoint> loaded) {
    return loaded.isPresent() && inside.isOf(parent.task(), loaded.get().snapshot());
  }

  /// @param hasLeft whether it handed off in an earlier run, which has published that
  private Outcome run(RunLoop loop, Snapshot from, ResumeRecords known, boolean hasLeft)
      throws InterruptedException {
    Outcome outcome;
    try {
      outcome = NestingDepth.at(depth, () -> loop.run(from, known));
    } finally {
      remember(loop);
    }
    handedOff = loop.handedOff();
    // A graph that ends in another way publishes that with its last checkpoint.
    if (handedOff != null && !hasLeft && outcome instanceof Outcome.Completed(var end)) {
      left((Snapshot) end);
    }
    return outcome;
  }

  /// Leaves the final state of the activation as memory for the next one, however it ended.
  private void remember(RunLoop loop) {
    var at = loop.reached();
    var last = loop.memories();
    if (!(writer instanceof CheckpointWriter kept) || at == null || last == null) return;
    if (!parent.isWaitedFor()) return;
    parent.task().left(inside.left(parent.task(), kept.lineage(), at, last));
  }

  /// Publishes that the graph has ended with a hand-off, and saves that it was published.
  private void left(Snapshot end) {
    var task = parent.task().id();
    var batch = new EventBatch(publisher);
    batch.publish(end.step(), o -> new Event.SubgraphCompleted(o, task));
    writer.left(end, batch);
  }

  /// The result of the node around, once the graph has ended.
  private NodeResult result(Snapshot end) {
    return handedOff == null ? SubgraphResult.of(inside, end) : new SubgraphResult(handedOff);
  }

  private RunScope scope(int from) {
    int limit = Math.addExact(from, options.stepLimit(graph.stepLimit(), true));
    var run = outer.run();
    var hitBreakpoints = outer.hitBreakpoints();
    var identity =
        new RunIdentity(graph, run, limit, depth, writer.isPersistent(), options, parent);
    return new RunScope(
        identity, publisher, limits, outer.threadLeases(), hitBreakpoints, SubgraphRun::run);
  }
}
