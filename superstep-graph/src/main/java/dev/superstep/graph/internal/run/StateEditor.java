package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.error.InvalidStateUpdate;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.CarriedRecords;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.LeftEffects;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.Converge;
import dev.superstep.node.EngineResult;
import dev.superstep.node.HandOff;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.StateUpdate;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Changes a saved thread between two runs, as if nodes had run. For the thread that holds its
/// lease.
final class StateEditor {
  private final RunScope scope;
  private final CheckpointWriter writer;

  StateEditor(RunScope scope, CheckpointWriter writer) {
    this.scope = scope;
    this.writer = writer;
  }

  /// Saves one checkpoint with all the changes.
  ///
  /// @throws InvalidStateUpdate if one is made as a node that does not exist
  void apply(CheckpointWriter.LoadedCheckpoint loaded, List<StateUpdate> edits) {
    var begin = begin();
    var applied = scope.graph().kernel().edit(loaded.snapshot(), done(edits), begin);
    var open = new HashSet<String>();
    for (var due : applied.next().position().due()) if (due.task() != null) open.add(due.task());
    for (var due : applied.next().position().deferred())
      if (due.task() != null) open.add(due.task());
    dropped(loaded, open, begin.checkpoint());
    var carried = CarriedRecords.of(loaded, open);
    boolean isNewWork = applied.next().position().due().stream().anyMatch(d -> d.task() == null);
    save(loaded.snapshot(), edits, applied, isNewWork ? carried : carried.withStops(loaded));
  }

  /// Saves the first checkpoint of a thread, with all the changes.
  ///
  /// @throws InvalidStateUpdate if one is made as a node that does not exist
  void applyFirst(List<StateUpdate> edits) {
    var graph = scope.graph();
    var at = Snapshot.initial(graph.index());
    save(at, edits, graph.kernel().edit(at, done(edits), begin()), CarriedRecords.NOTHING);
  }

  /// Saves one checkpoint in which nothing is due any more.
  void discard(CheckpointWriter.LoadedCheckpoint loaded) {
    var begin = begin();
    dropped(loaded, Set.of(), begin.checkpoint());
    var at = loaded.snapshot();
    save(at, List.of(), scope.graph().kernel().discard(at, begin), CarriedRecords.NOTHING);
  }

  private Snapshot.Begin begin() {
    // Tasks that follow from other values have other ids, even if earlier ones were lost.
    return new Snapshot.Begin(scope.options().ids().next(), scope.identity().generation());
  }

  private List<Kernel.Done> done(List<StateUpdate> edits) {
    var done = new ArrayList<Kernel.Done>();
    for (var edit : edits) done.add(done(edit));
    return done;
  }

  private void save(
      Snapshot at, List<StateUpdate> edits, Kernel.Applied applied, CarriedRecords carried) {
    var batch = new EventBatch(scope.publisher());
    publish(batch, edits, applied);
    var made = new RunWriter.NewCheckpoint(at, applied, Checkpoint.Source.UPDATE, carried);
    writer.checkpoint(scope.identity(), made, batch, false);
  }

  /// Notes what tasks did outside that are not due any more.
  private void dropped(
      CheckpointWriter.LoadedCheckpoint loaded, Set<String> open, String checkpoint) {
    var leases = Objects.requireNonNull(scope.threadLeases());
    var from = loaded.checkpoint();
    if (open.containsAll(from.tasks())) return;
    LeftEffects.saveDropped(leases.own(), writer.thread(), from, open, checkpoint);
  }

  private Kernel.Done done(StateUpdate edit) {
    var graph = scope.graph();
    if (edit.node().equals(Topology.START)) {
      var input = result(edit.result());
      var writes = WriteCompletion.of(input.writes(), scope.options().ids());
      return new Kernel.Done(graph.executionGraph().start(), input.with(writes));
    }
    var node = graph.executionGraph().node(edit.node());
    if (node == null) {
      throw new InvalidStateUpdate(
          graph.name(), edit.node(), graph.executionGraph().suggestion(edit.node()));
    }
    var result = result(edit.result());
    graph.check(node, result);
    var writes = WriteCompletion.of(result.writes(), scope.options().ids());
    return new Kernel.Done(node, result.with(writes));
  }

  private static TaskResult.Finished result(NodeResult result) {
    return switch (result) {
      case Update(var writes) -> TaskResult.Finished.writing(writes);
      case Command command ->
          new TaskResult.Finished(command.update().writes(), Next.Goto.of(command));
      case NoUpdate _ -> TaskResult.Finished.NOTHING;
      case Ask<?, ?> _, Converge _, HandOff _, EngineResult _ ->
          throw new IllegalArgumentException("an edit is an update or a command");
    };
  }

  private static void publish(EventBatch batch, List<StateUpdate> edits, Kernel.Applied applied) {
    if (!batch.hasListeners()) return;
    var next = applied.next();
    var nodes = edits.stream().map(StateUpdate::node).toList();
    var changed =
        applied.changes().stream()
            .filter(c -> next.index().isDeclared(c.place()))
            .map(c -> Objects.requireNonNull(next.index().channel(c.place())).name())
            .toList();
    var due = next.position().due().stream().map(d -> d.node().name()).toList();
    var id = next.position().checkpoint();
    batch.publish(next.step(), o -> new Event.StateUpdated(o, id, nodes, changed, due));
  }
}
