package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.execution.HitBreakpoints;
import dev.superstep.graph.internal.execution.RunLimits;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.CancellationToken;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.CheckpointWriter.LoadedCheckpoint;
import dev.superstep.graph.internal.persistence.JournalWriter;
import dev.superstep.graph.internal.persistence.StoreRequirements;
import dev.superstep.graph.internal.persistence.ThreadLeases;
import dev.superstep.graph.internal.publish.EventPublisher;
import dev.superstep.run.Durability;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoints of the subgraph of one task: reads them, and changes the thread so that the task
/// continues from another state of its subgraph. Immutable.
public final class SubgraphHistory {
  private final CompiledGraph root;
  private final RunSettings options;
  private final List<Place> path;

  /// A subgraph, seen from the graph around it.
  ///
  /// @param checkpoint of the graph around, from which the task runs
  /// @param task its name, as in [ThreadState.DueTask]
  public record Place(String checkpoint, String task) {}

  /// A graph on the way to the subgraph.
  ///
  /// @param line its checkpoints
  /// @param at the one from which the task runs
  /// @param task the one that leads further in
  /// @param names the tasks that lead to the subgraph of the task, with this one
  private record Level(
      CompiledGraph graph, Line line, LoadedCheckpoint at, Task task, List<String> names) {
    SubgraphNode inside() {
      var inside = graph.subgraph(task.due().node());
      if (inside == null) throw new IllegalArgumentException(graph.name() + " has no subgraph");
      return inside;
    }
  }

  /// Checkpoints in a store.
  private record Line(Checkpointer store, RunSettings options, Lineage lineage) {
    Optional<Checkpoint> newest() {
      return store.page(lineage, Optional.empty(), 1).stream().findFirst();
    }

    Line on(Lineage other) {
      return new Line(store, options, other);
    }
  }

  /// @param path at least one place, the outermost first
  public SubgraphHistory(CompiledGraph root, RunSettings options, List<Place> path) {
    this.root = root;
    this.options = options.with(s -> s.durability = Durability.SYNC);
    this.path = List.copyOf(path);
  }

  /// Goes the way on by one place inside.
  public SubgraphHistory inside(Place place) {
    var deeper = new ArrayList<>(path);
    deeper.add(place);
    return new SubgraphHistory(root, options, deeper);
  }

  public List<Checkpoint> page(Optional<String> before, int limit) {
    var line = line(levels().getLast());
    return line.store().page(line.lineage(), before, limit);
  }

  /// The newest state of the subgraph that is the task's own.
  public Optional<ThreadState> state() {
    var levels = levels();
    return newest(levels).map(loaded -> state(levels, loaded));
  }

  public Optional<ThreadState> state(String checkpoint) {
    var levels = levels();
    return reading(levels.getLast()).load(checkpoint).map(loaded -> state(levels, loaded));
  }

  private ThreadState state(List<Level> levels, LoadedCheckpoint loaded) {
    var last = levels.getLast();
    return new ThreadSnapshot(thread(), levels.getFirst().at().answers())
        .state(last.inside().graph(), loaded, line(last).options(), last.names());
  }

  // --- The way in ---

  private List<Level> levels() {
    var levels = new ArrayList<Level>();
    var graph = root;
    var store = options.checkpointer().orElseThrow(SubgraphHistory::noCheckpointer);
    var line = new Line(store, options, Lineage.of(thread()));
    var names = new ArrayList<String>();
    for (var place : path) {
      var at =
          reading(graph, line)
              .load(place.checkpoint())
              .orElseThrow(() -> unknown("has no checkpoint `" + place.checkpoint() + "`"));
      var task = task(graph, at.snapshot(), place);
      names.add(task.name());
      var level = new Level(graph, line, at, task, List.copyOf(names));
      levels.add(level);
      line = line(level);
      graph = level.inside().graph();
    }
    return levels;
  }

  private Task task(CompiledGraph graph, Snapshot at, Place place) {
    for (var task : graph.kernel().plan(at)) {
      var inside = graph.subgraph(task.due().node());
      if (inside == null || inside.subgraph().isChosen()) continue;
      if (task.name().equals(place.task())) return task;
    }
    throw unknown(
        "has no task `%s` with a subgraph at checkpoint `%s`"
            .formatted(place.task(), place.checkpoint()));
  }

  /// The line of the subgraph of a level's task.
  private Line line(Level level) {
    var inside = level.inside();
    var store = inside.store(level.line().options());
    if (store == null)
      throw unknown("saves nothing of the subgraph of `" + level.task().name() + "`");
    var own = level.line().options().withCheckpointer(store);
    var lineages = inside.lineages(thread(), level.task(), level.names());
    var apart = new Line(store, own, lineages.getLast());
    // One that continues a memory begins where that is, unless others have continued from there.
    return lineages.size() == 1 || apart.newest().isPresent()
        ? apart
        : apart.on(lineages.getFirst());
  }

  private CheckpointWriter reading(Level level) {
    return reading(level.inside().graph(), line(level));
  }

  private static CheckpointWriter reading(CompiledGraph graph, Line line) {
    return CheckpointWriter.reading(graph, line.store(), line.lineage(), line.options());
  }

  private Optional<LoadedCheckpoint> newest(List<Level> levels) {
    var last = levels.getLast();
    return reading(last).load().filter(loaded -> isOwn(last, loaded));
  }

  private static boolean isOwn(Level level, LoadedCheckpoint loaded) {
    return level.inside().isOf(level.task(), loaded.snapshot());
  }

  /// Returns whether the task is still to continue, so that its subgraph can be changed in place.
  private static boolean isUnfinished(List<Level> levels) {
    for (var level : levels) {
      var record = level.at().tasks().get(level.task().id());
      if (record != null && record.isFinal()) return false;
      var newest = level.line().newest().map(Checkpoint::id);
      if (!newest.equals(Optional.of(level.at().checkpoint().id()))) return false;
    }
    return true;
  }

  // --- Changes ---

  public ThreadState update(List<StateUpdate> edits) {
    if (edits.isEmpty()) throw new IllegalArgumentException("there must be at least one edit");
    writing((leases, publisher) -> {
      var levels = levels();
      var last = levels.getLast();
      if (!isUnfinished(levels) || newest(levels).isEmpty()) {
        throw new ThreadError(
            thread(),
            ThreadError.Reason.MOVED_ON,
            "does not continue with this subgraph. Rewind it to one of its checkpoints first.");
      }
      reopen(levels, leases);
      var graph = last.inside().graph();
      var line = line(last);
      var writes = leases.on(line.store());
      var writer = CheckpointWriter.writing(graph, writes, line.lineage(), null, line.options());
      var loaded = writer.load().orElseThrow();
      var own = within(publisher, levels);
      new StateEditor(scope(graph, line.options(), own, leases), writer).apply(loaded, edits);
    });
    return state().orElseThrow();
  }

  /// Lets tasks continue that wait for answers from inside, which may no longer be needed.
  private static void reopen(List<Level> levels, ThreadLeases leases) {
    for (var level : levels) {
      var record = level.at().tasks().get(level.task().id());
      if (record == null || !(record.end() instanceof TaskRecord.End.Waiting)) continue;
      var open = new TaskRecord.End.Waiting(List.of());
      leases
          .on(level.line().store())
          .task(
              level.line().lineage(),
              level.at().checkpoint().id(),
              new TaskRecord(record.task(), record.node(), open),
              List.of());
    }
  }

  /// Takes the thread back so that the task continues from a checkpoint of its subgraph.
  ///
  /// @return where the subgraph is now
  public SubgraphHistory rewind(String checkpoint) {
    var places = new ArrayList<>(path);
    writing((leases, publisher) -> {
      var levels = levels();
      var older =
          reading(levels.getLast())
              .load(checkpoint)
              .filter(loaded -> isOwn(levels.getLast(), loaded))
              .orElseThrow(() -> unknown("has no checkpoint `" + checkpoint + "` in that task"));
      var made =
          isUnfinished(levels) && newest(levels).isPresent()
              ? inPlace(levels, older.checkpoint(), leases)
              : apart(levels, older.checkpoint(), leases, places);
      within(publisher, levels)
          .publish(made.step(), o -> new Event.ThreadForked(o, thread(), checkpoint, made.id()));
    });
    return new SubgraphHistory(root, options, places);
  }

  private Checkpoint inPlace(List<Level> levels, Checkpoint older, ThreadLeases leases) {
    var line = line(levels.getLast());
    var target = Target.of(line, options.ids().next());
    reopen(levels, leases);
    var made = made(line, older, target.begin(), target.parent());
    fork(leases, line, older, target, made);
    return made;
  }

  /// Where a fork is to be.
  ///
  /// @param owner whose activation it is, if that is stored inside
  private record Target(
      Lineage lineage, Snapshot.Begin begin, Optional<String> parent, @Nullable Owner owner) {
    /// On top of a line.
    static Target of(Line line, String id) {
      var begin = new Snapshot.Begin(id, WriteCompletion.generationOf(id));
      return new Target(line.lineage(), begin, line.newest().map(Checkpoint::id), null);
    }
  }

  private record Owner(SubgraphNode inside, Task task) {}

  /// Rewinds the graphs around as well. What is inside is written first, so that the thread is
  /// unchanged until all is there.
  private Checkpoint apart(
      List<Level> levels, Checkpoint inner, ThreadLeases leases, List<Place> places) {
    var writes = new ArrayDeque<Runnable>();
    var target = Target.of(levels.getFirst().line(), options.ids().next());
    places.clear();
    for (var level : levels) {
      var older = level.at().checkpoint();
      var made = planned(level.line(), older, target, leases, writes);
      var place = new Place(made.id(), level.task().name());
      places.add(place);
      var task = task(level.graph(), snapshot(level.graph(), level.line(), older, made), place);
      var lineage = level.inside().lineages(thread(), task, level.names()).getLast();
      var begin = new Snapshot.Begin(options.ids().next(), WriteCompletion.generationInside(task));
      var owner = level.inside().isOwned() ? new Owner(level.inside(), task) : null;
      target = new Target(lineage, begin, Optional.empty(), owner);
    }
    var made = planned(line(levels.getLast()), inner, target, leases, writes);
    writes.forEach(Runnable::run);
    return made;
  }

  /// @return the checkpoint from which the graph continues once the writes are made
  private Checkpoint planned(
      Line source, Checkpoint older, Target target, ThreadLeases leases, Deque<Runnable> writes) {
    var made = made(source, older, target.begin(), target.parent());
    var owner = target.owner();
    if (owner == null) {
      writes.push(() -> fork(leases, source, older, target, made));
      return made;
    }
    var begin = new Snapshot.Begin(options.ids().next(), target.begin().generation());
    var owned = made(source, older, begin, Optional.of(made.id()));
    writes.push(() -> {
      fork(leases, source, older, target, made);
      var changes = List.of(owned(owner, source, older, made));
      var commit = new Commit(target.lineage(), owned, changes);
      if (!leases.on(source.store()).commit(commit)) throw changed();
    });
    return owned;
  }

  /// The change that makes a saved state that of another activation.
  private ChannelChange owned(Owner owner, Line source, Checkpoint older, Checkpoint made) {
    var graph = owner.inside().graph();
    var channel = Objects.requireNonNull(graph.index().owner());
    var snapshot = snapshot(graph, source, older, made);
    var name = channel.values().encode(owner.inside().owner(owner.task()));
    long version = snapshot.version(graph.index().place(channel)) + 1;
    return new ChannelChange(channel.name(), version, new ChannelChange.Change.Whole(name));
  }

  private static Snapshot snapshot(
      CompiledGraph graph, Line source, Checkpoint older, Checkpoint made) {
    var channels = source.store().byId(source.lineage(), older.id()).orElseThrow().channels();
    return new CheckpointCodec(graph).snapshot(new Saved(made, channels));
  }

  private Checkpoint made(
      Line source, Checkpoint older, Snapshot.Begin begin, Optional<String> parent) {
    var kind = ForkOrigin.Kind.REWIND;
    var progress = older.progress();
    return new Checkpoint(
        Checkpoint.FORMAT,
        begin.checkpoint(),
        parent,
        begin.generation(),
        older.step(),
        Checkpoint.Source.FORK,
        options.clock().instant(),
        older.run(),
        older.graph(),
        older.graphHash(),
        progress
            .with(anew(progress.next()), anew(progress.held()))
            .from(new ForkOrigin(kind, source.lineage(), older.id())),
        older.metadata());
  }

  private static List<PendingNode> anew(List<PendingNode> due) {
    return due.stream().map(PendingNode::anew).toList();
  }

  private void fork(
      ThreadLeases leases, Line source, Checkpoint older, Target target, Checkpoint made) {
    var fork = new Fork(source.lineage(), older.id(), target.lineage(), made, List.of());
    if (!leases.on(source.store()).fork(fork)) throw changed();
  }

  // --- The thread ---

  /// Work to do while nobody else can write to the thread.
  @FunctionalInterface
  private interface LeasedWork {
    void with(ThreadLeases leases, EventPublisher publisher);
  }

  private void writing(LeasedWork work) {
    var store = options.checkpointer().orElseThrow(SubgraphHistory::noCheckpointer);
    StoreRequirements.check(root, options, store);
    var run = options.ids().next();
    var publisher = new EventPublisher(run, root.name(), options);
    var token = new CancellationToken(Thread.currentThread(), () -> {});
    // Nothing here takes long enough to be stopped.
    token.end();
    try (var leases = new ThreadLeases(options, thread(), run, token)) {
      var writes = leases.acquire(store);
      var redaction = options.journaling();
      if (redaction != null) publisher.journalTo(new JournalWriter(redaction, writes));
      work.with(leases, publisher);
      var journal = publisher.journal();
      if (journal != null) journal.flush();
      leases.settle();
    }
  }

  private RunScope scope(
      CompiledGraph graph, RunSettings own, EventPublisher publisher, ThreadLeases leases) {
    var identity =
        new RunIdentity(graph, options.ids().next(), Integer.MAX_VALUE, 0, true, own, null);
    var limits = new RunLimits(graph, own, null, null);
    return new RunScope(
        identity, publisher, limits, leases, new HitBreakpoints(), SubgraphRun::run);
  }

  private static EventPublisher within(EventPublisher publisher, List<Level> levels) {
    var within = publisher;
    for (var level : levels) {
      within = within.within(level.task().name(), level.inside().graph().name());
    }
    return within;
  }

  private String thread() {
    return options.thread().orElseThrow(SubgraphHistory::noCheckpointer);
  }

  private ThreadError unknown(String why) {
    return new ThreadError(thread(), ThreadError.Reason.UNKNOWN, why + ". Look at its history.");
  }

  private ThreadError changed() {
    return new ThreadError(
        thread(), ThreadError.Reason.MOVED_ON, "changed while it was rewound. Try again.");
  }

  private static IllegalArgumentException noCheckpointer() {
    return new IllegalArgumentException(
        "options must name a thread and its checkpoints, as in"
            + " `RunOptions.thread(\"t-42\").checkpoints(store)`");
  }
}
