package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memories;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.RouterFailed;
import dev.superstep.error.UnknownTarget;
import dev.superstep.node.Send;
import dev.superstep.run.Input;
import dev.superstep.state.Write;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides, without clock, thread or storage: what a superstep's results make of a snapshot, and
/// what is due next. The same on every driver.
public final class Kernel {
  private static final int FEW = 128;

  private final String graph;
  private final ExecutionGraph wiring;
  private final Triggers triggers;
  private final ChannelIndex layout;

  Kernel(String graph, ExecutionGraph wiring, Triggers triggers, ChannelIndex layout) {
    this.graph = graph;
    this.wiring = wiring;
    this.triggers = triggers;
    this.layout = layout;
  }

  /// The same for more channels, which come after the others.
  Kernel on(ChannelIndex other) {
    return new Kernel(graph, wiring, triggers, other);
  }

  /// A snapshot after a fold, and what changed on the way.
  public record Applied(Snapshot next, List<Folding.Changed> changes) {}

  /// A place in a lineage that is to be.
  ///
  /// @param checkpoint its id
  /// @param generation of its tasks
  public record Begin(String checkpoint, String generation) {}

  /// Folds new input and activates what follows START.
  public Applied input(Snapshot at, Input input, Begin begin, RouteOverride chooser) {
    var folding = new Folding(layout);
    folding.add(null, input.writes());
    triggers.consumeResults(folding);
    var cells = at.copyCells();
    var changes = folding.into(cells);
    var folded = new Snapshot(layout, cells, at.position());
    var frontier = new Frontier(folded, DeferredTasks.NONE, Map.of(), chooser);
    frontier.remember(at.position().marks().memories());
    if (input.isSeeded()) frontier.seed(input);
    else frontier.follow(wiring.start());
    var position = frontier.position(begin, at.step() + 1, List.of(), Map.of());
    return new Applied(folded.at(position), changes);
  }

  public boolean hasTriggers() {
    return !triggers.isEmpty();
  }

  /// The tasks that are due, in task order.
  public List<Task> plan(Snapshot at) {
    var due = at.position().due();
    if (due.size() == 1) return List.of(task(at, 0));
    var tasks = new ArrayList<Task>(due.size());
    for (int i = 0; i < due.size(); i++) tasks.add(task(at, i));
    return tasks;
  }

  private static Task task(Snapshot at, int ordinal) {
    var due = at.position().due().get(ordinal);
    return new Task(at.position(), ordinal, Gates.isClosed(due, at));
  }

  /// The results of all tasks of a superstep, in task order, and what is to be made of them.
  ///
  /// @param place where they lead to
  public record Barrier(
      List<Task> tasks, List<TaskResult.Finished> results, Begin place, RouteOverride chooser) {}

  /// Folds the results of a superstep and follows them.
  public Applied apply(Snapshot at, Barrier barrier) {
    return apply(at, barrier, List.of());
  }

  /// @param left what is due beside that which follows
  private Applied apply(Snapshot at, Barrier barrier, List<PendingTask> left) {
    var tasks = barrier.tasks();
    var results = barrier.results();
    var folding = new Folding(layout);
    for (int i = 0; i < tasks.size(); i++) folding.add(tasks.get(i), results.get(i).writes());
    Triggers.consume(tasks, results, layout, folding);
    var outbox = layout.outbox();
    if (outbox != null) outbox.record(folding, at.step() + 1, results);
    var cells = at.copyCells();
    var changes = folding.into(cells);
    var folded = new Snapshot(layout, cells, at.position());
    var frontier =
        new Frontier(folded, at.position().deferred(), at.position().arrived(), barrier.chooser());
    frontier.carry(left);
    frontier.remember(memories(at, tasks, results));
    for (int i = 0; i < tasks.size(); i++) {
      frontier.follow(tasks.get(i).due(), results.get(i).next());
    }
    var seen = Gates.seen(at, tasks, results);
    var position = frontier.position(barrier.place(), at.step() + 1, ran(tasks), seen);
    return new Applied(folded.at(position), changes);
  }

  private static Memories memories(
      Snapshot at, List<Task> tasks, List<? extends TaskResult> results) {
    var memories = at.position().marks().memories();
    for (int i = 0; i < tasks.size(); i++) {
      var left = results.get(i).left();
      if (left != null) memories = memories.replaced(Memories.path(tasks.get(i).node()), left);
    }
    return memories;
  }

  /// How the graph ends with a superstep in which a task handed off.
  public Halt.Left left(Superstep step, List<TaskResult> ends) {
    var writes = shared(step.at(), step.tasks(), ends);
    var memories = memories(step.at(), step.tasks(), ends);
    return new Halt.Left(HandOffs.outward(ends, writes), memories);
  }

  /// The failure of a superstep, with those of all its tasks; null if none failed.
  public @Nullable NodeFailed failure(Superstep step, List<TaskResult> ends) {
    NodeFailed failure = null;
    for (int i = 0; i < ends.size(); i++) {
      if (!(ends.get(i) instanceof TaskResult.Failed(var error))) continue;
      var next = failed(step, step.tasks().get(i), error);
      if (failure == null) failure = next;
      else failure.addSuppressed(next);
    }
    return failure;
  }

  private NodeFailed failed(Superstep step, Task task, Throwable error) {
    return new NodeFailed(graph, task.node(), step.number(), task.attempts(), error);
  }

  /// What a node has done without having run.
  public record Done(NodeSpec node, TaskResult.Finished result) {}

  /// Folds what nodes have done as if they had run in a superstep of their own, and follows them.
  /// What else is due stays so, as the same tasks.
  public Applied edit(Snapshot at, List<Done> done, Begin begin) {
    var left = new ArrayList<PendingTask>();
    for (var task : plan(at)) left.add(task.due().withId(task.id()));
    var due = new ArrayList<PendingTask>();
    for (var one : done) due.add(removeTask(one.node(), left));
    var position = at.position();
    var edited =
        new Snapshot.Position(
            position.checkpoint(),
            begin.generation(),
            position.step(),
            due,
            position.deferred(),
            position.marks());
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < due.size(); i++) tasks.add(new Task(edited, i, false));
    var results = done.stream().map(Done::result).toList();
    var barrier = new Barrier(tasks, results, begin, RouteOverride.NONE);
    return apply(at.at(edited), barrier, left);
  }

  /// What was due of a node, which is not due any more; or as if a command had named it.
  private static PendingTask removeTask(NodeSpec node, List<PendingTask> left) {
    for (var due : left) {
      if (due.node() != node || due.isOneOfSeveral()) continue;
      left.remove(due);
      return due;
    }
    return new PendingTask(node, new Activation.Commanded(node.name()), null);
  }

  /// How all triggers stand.
  public List<Triggers.Look> triggers(Snapshot at) {
    return triggers.look(at);
  }

  /// What reaches the graph around of the shared channels, if the graph ends with this superstep.
  private List<Write> shared(Snapshot at, List<Task> tasks, List<TaskResult> ends) {
    var outbox = layout.outbox();
    if (outbox == null) return List.of();
    var results = new ArrayList<TaskResult.Finished>(ends.size());
    var folding = new Folding(layout);
    for (int i = 0; i < ends.size(); i++) {
      var writes =
          ends.get(i) instanceof TaskResult.Finished finished
              ? finished.writes()
              : List.<Write>of();
      folding.add(tasks.get(i), writes);
      results.add(TaskResult.Finished.writing(writes));
    }
    outbox.record(folding, at.step() + 1, results);
    var cells = at.copyCells();
    folding.into(cells);
    var marks = Snapshot.Marks.NONE;
    var end = new Snapshot.Position("", "", at.step() + 1, List.of(), DeferredTasks.NONE, marks);
    return outbox.writes(new Snapshot(layout, cells, end));
  }

  private static List<String> ran(List<Task> tasks) {
    var first = tasks.getFirst();
    if (tasks.size() == 1) return first.isSkipped() ? List.of() : List.of(first.node());
    var ran = new LinkedHashSet<String>();
    for (var task : tasks) if (!task.isSkipped()) ran.add(task.node());
    return List.copyOf(ran);
  }

  /// Whether nothing is left to do.
  public boolean isDone(Snapshot at) {
    return at.position().due().isEmpty() && waiting(at).isEmpty();
  }

  /// The deadlock of a run that has nothing due while a join or a trigger still waits; null if it
  /// is done.
  @Nullable Deadlock deadlock(Snapshot at) {
    var waiting = waiting(at);
    return waiting.isEmpty() ? null : new Deadlock(graph, waiting);
  }

  /// Whether a run ends here: nothing is due, or nothing but answers.
  public boolean isEnd(Snapshot at) {
    for (var due : at.position().due()) {
      if (!(due.activation() instanceof Activation.Resumed)) return false;
    }
    return !at.position().due().isEmpty() || isDone(at);
  }

  private List<Deadlock.Waiting> waiting(Snapshot at) {
    var waiting = new ArrayList<Deadlock.Waiting>();
    for (var arrived : at.position().arrived().entrySet()) {
      var join = wiring.join(arrived.getKey());
      if (arrived.getValue().size() < join.needs()) waiting.add(join.waiting(arrived.getValue()));
    }
    triggers.waiting(at, waiting);
    return waiting;
  }

  /// What is due next, while the results of a superstep are followed.
  private final class Frontier {
    private final Snapshot state;
    private final RouteOverride chooser;
    private final DeferredTasks held;
    private final Arrivals arrivals;
    // Those without an argument, by the place of their node; beside many nodes as a map.
    private final @Nullable PendingTask @Nullable [] few;
    private final NavigableMap<Integer, PendingTask> many;
    private Memories memories = Memories.NONE;
    private List<PendingTask> sent = List.of();
    private List<PendingTask> resumed = List.of();

    Frontier(
        Snapshot state,
        DeferredTasks held,
        Map<String, Set<String>> arrived,
        RouteOverride chooser) {
      this.state = state;
      this.chooser = chooser;
      this.held = held;
      this.arrivals = new Arrivals(arrived);
      int nodes = wiring.nodes().size();
      this.few = nodes <= FEW ? new @Nullable PendingTask[nodes] : null;
      this.many = nodes <= FEW ? Collections.emptyNavigableMap() : new TreeMap<>();
    }

    private @Nullable PendingTask plain(int place) {
      return few == null ? many.get(place) : few[place];
    }

    private void plain(int place, PendingTask due) {
      if (few == null) many.put(place, due);
      else few[place] = due;
    }

    Snapshot.Position position(
        Begin place, int step, List<String> ran, Map<String, Map<String, Long>> seen) {
      for (var join : arrivals.meet()) activate(join.to(), new Activation.Joined());
      if (!triggers.isEmpty()) triggers.activate(state, resumed, this::activate);
      var active = active();
      var due =
          wiring.defers() ? Deferral.of(active, held) : new Deferral(active, DeferredTasks.NONE);
      var marks = new Snapshot.Marks(arrivals.arrived(), seen, ran, chooser.chosen(), memories);
      return new Snapshot.Position(
          place.checkpoint(), place.generation(), step, due.due(), due.held(), marks);
    }

    /// All of it in task order; mostly a single one.
    private List<PendingTask> active() {
      if (few == null) return active(many.values());
      PendingTask first = null;
      int all = 0;
      for (var activated : few) {
        if (activated == null) continue;
        if (first == null) first = activated;
        all++;
      }
      if (all == 0) return active(List.of());
      if (all == 1 && first != null) return active(List.of(first));
      var plain = new ArrayList<PendingTask>(all);
      for (var activated : few) if (activated != null) plain.add(activated);
      return active(plain);
    }

    private List<PendingTask> active(Collection<PendingTask> plain) {
      if (sent.isEmpty() && resumed.isEmpty()) {
        return plain instanceof List<PendingTask> all ? all : new ArrayList<>(plain);
      }
      var active = new ArrayList<PendingTask>(plain.size() + sent.size() + resumed.size());
      active.addAll(plain);
      active.addAll(sent);
      active.addAll(resumed);
      return active;
    }

    /// The node is due again with what it was sent, and nothing follows it yet.
    private void resume(PendingTask due, Interrupt asked) {
      var again = new Activation.Resumed(asked, Triggers.tokens(due.activation()));
      again().add(due.again(again));
    }

    void remember(Memories all) {
      memories = all;
    }

    /// These are due whatever follows.
    void carry(List<PendingTask> left) {
      for (var due : left) {
        if (due.node().takesArgument()) sending().add(due);
        else if (due.activation() instanceof Activation.Resumed) again().add(due);
        else plain(due.node().index(), due);
      }
    }

    private List<PendingTask> sending() {
      if (sent.isEmpty()) sent = new ArrayList<>();
      return sent;
    }

    private List<PendingTask> again() {
      if (resumed.isEmpty()) resumed = new ArrayList<>();
      return resumed;
    }

    /// Activates what the input names itself.
    void seed(Input input) {
      for (var name : input.starts()) activate(wiring.first(name), new Activation.Entry());
      for (var send : input.sends()) send(UnknownTarget.INPUT, Topology.START, send);
    }

    void follow(PendingTask due, Next next) {
      switch (next) {
        case Next.Edges() -> follow(due.node());
        case Next.Goto named -> follow(due.node(), named);
        case Next.Ask(var question) -> resume(due, question);
        case Next.Leave _ -> throw new IllegalStateException("its graph has ended: " + due);
      }
    }

    private void follow(NodeSpec node, Next.Goto named) {
      boolean failed = node.isFailure(named);
      if (node.additive && !failed) edges(node);
      var because = new Activation.Commanded(node.name());
      for (var target : named.nodes()) activate(node.name(), target, because);
      for (var send : named.sends()) send(node.name(), node.name(), send);
      if (!failed) arrivals.arrive(node);
    }

    void follow(NodeSpec node) {
      edges(node);
      arrivals.arrive(node);
    }

    private void edges(NodeSpec node) {
      for (var to : node.direct) activate(to, node.edge);
      for (int i = 0; i < node.routes.size(); i++) {
        var route = node.routes.get(i);
        for (var target : targets(node, i)) {
          declared(node.name(), target, route.targets());
          activate(node.name(), target, node.routed);
        }
      }
      for (var fanOut : node.fanOuts) {
        for (var send : ask(node, () -> fanOut.router().route(state))) {
          declared(node.name(), send.target().name(), fanOut.targets());
          send(node.name(), node.name(), send);
        }
      }
    }

    private List<String> targets(NodeSpec node, int number) {
      var route = node.routes.get(number);
      var chosen = chooser.choose(node.name(), number, route);
      if (chosen != null) return chosen;
      var labels = ask(node, () -> route.router().route(state));
      if (route.labels().isEmpty()) return labels;
      return labels.stream().map(route::target).toList();
    }

    private void activate(String from, String target, Activation because) {
      if (!target.equals(Topology.END)) activate(wiring.plain(from, target), because);
    }

    private void activate(NodeSpec node, Activation because) {
      // What it takes must not be lost because an edge leads to it, too.
      boolean takes = because instanceof Activation.Triggered;
      if (takes || plain(node.index()) == null)
        plain(node.index(), new PendingTask(node, because, null));
    }

    private void send(String who, String from, Send<?> send) {
      var node = wiring.sendable(who, send);
      sending().add(new PendingTask(node, new Activation.Sent(from), send.argument()));
    }

    private void declared(String from, String target, List<String> targets) {
      if (targets.contains(target)) return;
      var near =
          NameSuggestion.to(target, targets).map(n -> " Did you mean `" + n + "`?").orElse("");
      throw new UnknownTarget(
          from,
          target,
          "it is not among the declared targets " + targets + ". Add it there." + near);
    }

    private <T> List<T> ask(NodeSpec node, Supplier<List<T>> router) {
      try {
        return List.copyOf(router.get());
      } catch (Throwable e) {
        FatalErrors.rethrow(e);
        throw new RouterFailed(node.name(), e);
      }
    }
  }
}
