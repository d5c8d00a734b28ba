package dev.superstep.graph;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import dev.superstep.state.State;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The run of a graph inside a task of another, from its input or from where the same task left it.
/// For the thread of the task.
final class Nested {
  private final Enclosing around;
  private final Inside inside;
  private final Graph graph;
  private final RunOptions options;
  private final Announcer announcer;
  private final int depth;
  private final Allowance allowance;
  private final @Nullable Saving saving;
  private @Nullable Ended handedOff;

  Nested(Enclosing around) {
    var outer = around.scope();
    var task = around.task();
    this.around = around;
    this.inside = Objects.requireNonNull(around.node().inside());
    this.graph = inside.graph();
    this.announcer = outer.announcer().within(task.name(), graph.name());
    this.depth = outer.depth() + 1;
    if (depth > Nesting.DEPTH_MAX) throw new NestedTooDeep(graph.name(), announcer.path());
    this.allowance = outer.allowance().within();
    var store = outer.isKept() ? inside.store(outer.options()) : null;
    this.options = outer.options().keptIn(store);
    var holds = outer.holds();
    this.saving =
        store == null || holds == null
            ? null
            : Saving.writing(graph, holds.on(store), lineage(), around, options);
  }

  private Lineage lineage() {
    var thread = around.scope().options().thread().orElseThrow();
    return inside.lineage(thread, around.task(), announcer.path());
  }

  /// @param input made only if there is nothing to go on from
  /// @param state of the outer graph
  /// @param answers what the outer run knows, by interrupt id
  Outcome run(Supplier<Input> input, State state, Map<String, Json> answers)
      throws InterruptedException {
    var loaded = saving == null ? Optional.<Saving.Loaded>empty() : saving.load();
    if (loaded.isPresent() && inside.isOf(around.task(), loaded.get().snapshot())) {
      var from = inside.refilled(loaded.get().snapshot(), state);
      var known = new RunLoop.Before(loaded.get().tasks(), answers, loaded.get().steps());
      var loop = new RunLoop(scope(from.step()), saving);
      loop.show(from);
      return run(loop, from, known, loaded.get().tasks().containsKey(Saving.LEFT));
    }
    var from = loaded.map(Saving.Loaded::snapshot).orElse(Snapshot.initial(graph.layout()));
    var loop = new RunLoop(scope(from.step() + 1), saving);
    var made = inside.input(input.get(), around.task(), state);
    var task = around.task().id();
    announcer.say(from.step() + 1, o -> new Event.SubgraphStarted(o, task));
    return run(loop, loop.input(from, made), RunLoop.Before.NOTHING, false);
  }

  /// @param hasLeft whether it handed off in an earlier run, which has told that
  private Outcome run(RunLoop loop, Snapshot from, RunLoop.Before known, boolean hasLeft)
      throws InterruptedException {
    var outcome = Nesting.at(depth, () -> loop.run(from, known));
    handedOff = loop.handedOff();
    // One that ends otherwise tells that with its last checkpoint.
    if (handedOff != null && !hasLeft && outcome instanceof Outcome.Completed(var end)) {
      left((Snapshot) end);
    }
    return outcome;
  }

  /// Tells that the graph has ended with a hand-off, and keeps that it was told.
  private void left(Snapshot end) {
    var task = around.task().id();
    var telling = new Telling(announcer);
    telling.say(end.step(), o -> new Event.SubgraphCompleted(o, task));
    if (saving == null) {
      telling.tell(scope(end.step()));
      return;
    }
    saving.left(end, telling);
    telling.publish();
  }

  /// The result of the node around, once the graph has ended.
  NodeResult result(Snapshot end) {
    return handedOff == null ? inside.subgraph().result(end) : new Landed(handedOff);
  }

  private RunScope scope(int from) {
    int limit = Math.addExact(from, options.stepLimit(graph, true));
    var run = around.scope().run();
    var paused = around.scope().paused();
    return new RunScope(
        graph,
        run,
        limit,
        depth,
        saving != null,
        options,
        announcer,
        allowance,
        around.scope().holds(),
        paused,
        around);
  }
}
