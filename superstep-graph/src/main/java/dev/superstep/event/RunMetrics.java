package dev.superstep.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Counts what runs do, from their events alone: how nodes and runs end, how long they take, what
/// is saved, how channels grow. A run without it pays nothing for it.
///
/// ```java
/// var metrics = new RunMetrics();
/// graph.invoke(input, options.listener(metrics, Detail.CHECKPOINTS, Detail.VALUES));
/// System.out.println(metrics.snapshot().json());
/// ```
///
/// It hears on the run's own threads, where counting takes a lock for a moment; put it behind
/// [EventHub#deliver] to have it on a thread of its own. Checkpoints and the sizes of channels are
/// counted only if their [Detail] is asked for, as above. Safe for many threads; one counter may
/// serve many runs of many graphs.
public final class RunMetrics implements EventListener {
  /// The limit on runs without a known end, which must not be retained for ever.
  private static final int OPEN_MOST = 10_000;

  private final Map<Named, NodeTally> nodes = new TreeMap<>();
  private final Map<Named, ChannelTally> channels = new TreeMap<>();
  private final Map<String, Long> events = new TreeMap<>();
  private final Map<String, Long> checkpoints = new TreeMap<>();
  private final Map<RunEnd, Long> ends = new EnumMap<>(RunEnd.class);
  private final Latency.Count runsTook = new Latency.Count();
  private final Latency.Count stepsTook = new Latency.Count();
  private final LinkedHashMap<String, OpenRun> open = new LinkedHashMap<>();
  private long started;
  private long resumed;
  private long questions;
  private long lost;

  private enum RunEnd {
    COMPLETED,
    INTERRUPTED,
    STOPPED,
    FAILED
  }

  /// A node or a channel of a graph.
  private record Named(String graph, String name) implements Comparable<Named> {
    @Override
    public int compareTo(Named other) {
      int byGraph = graph.compareTo(other.graph);
      return byGraph != 0 ? byGraph : name.compareTo(other.name);
    }
  }

  private static final class NodeTally {
    private final Latency.Count took = new Latency.Count();
    private long started;
    private long finished;
    private long handled;
    private long failed;
    private long waiting;
    private long retries;
    private long cached;
    private long skipped;

    Metrics.NodeCounts counts(Named node) {
      return new Metrics.NodeCounts(
          node.graph,
          node.name,
          started,
          finished,
          handled,
          failed,
          waiting,
          retries,
          cached,
          skipped,
          took.latency());
    }
  }

  private static final class ChannelTally {
    private long writers;
    private long changes;
    private long size;
    private long largest;
  }

  /// The state of a run that has not ended.
  private static final class OpenRun {
    private final Map<Task, Stage> tasks = new LinkedHashMap<>();
    // Several subgraphs of one node may be at the same superstep. Events do not say which of them
    // ends, so the total of their times is right, and each may have that of another.
    private final Map<Step, Deque<Instant>> steps = new LinkedHashMap<>();
    private final Instant began;

    OpenRun(Instant began) {
      this.began = began;
    }
  }

  private record Step(List<String> path, int step) {
    static Step of(Origin at) {
      return new Step(at.path(), at.step());
    }
  }

  /// A task; its id is unique in the graph at this path.
  private record Task(List<String> path, String id) {}

  private enum Stage {
    AT_WORK,
    CACHED,
    HANDLED
  }

  /// Nothing counted.
  public RunMetrics() {}

  @Override
  public synchronized void on(Event event) {
    events.merge(event.kind().name(), 1L, Long::sum);
    count(event);
  }

  /// Returns the counts so far.
  public synchronized Metrics snapshot() {
    var runs =
        new Metrics.Runs(
            started,
            resumed,
            ended(RunEnd.COMPLETED),
            ended(RunEnd.INTERRUPTED),
            ended(RunEnd.STOPPED),
            ended(RunEnd.FAILED),
            runsTook.latency());
    var nodeCounts = nodes.entrySet().stream().map(e -> e.getValue().counts(e.getKey())).toList();
    var channelCounts = channels.entrySet().stream().map(e -> counts(e)).toList();
    return new Metrics(
        runs, nodeCounts, channelCounts, stepsTook.latency(), checkpoints, questions, events, lost);
  }

  private long ended(RunEnd how) {
    return ends.getOrDefault(how, 0L);
  }

  private static Metrics.ChannelCounts counts(Map.Entry<Named, ChannelTally> channel) {
    var tally = channel.getValue();
    var key = channel.getKey();
    return new Metrics.ChannelCounts(
        key.graph, key.name, tally.writers, tally.changes, tally.size, tally.largest);
  }

  private void count(Event event) {
    var at = event.origin();
    switch (event) {
      case Event.RunStarted e -> begin(e);
      case Event.RunCompleted _ -> end(at, RunEnd.COMPLETED);
      case Event.RunInterrupted _ -> end(at, RunEnd.INTERRUPTED);
      case Event.RunStopped _ -> end(at, RunEnd.STOPPED);
      case Event.RunFailed _ -> end(at, RunEnd.FAILED);
      case Event.StepStarted _ ->
          run(at).steps.computeIfAbsent(Step.of(at), _ -> new ArrayDeque<>()).add(at.at());
      case Event.StepFinished e -> finish(e);
      case Event.NodeSkipped e -> node(at, e.node()).skipped++;
      case Event.NodeCached e -> {
        node(at, e.node()).cached++;
        run(at).tasks.put(new Task(at.path(), e.task()), Stage.CACHED);
      }
      case Event.InterruptRaised e -> {
        questions++;
        // A task may ask several at once.
        if (leave(e) != null) node(at, e.node()).waiting++;
      }
      case Event.StateValues e -> e.values().forEach((name, json) -> size(at, name, json.text()));
      case Event.CheckpointSaved e -> checkpoints.merge(e.source().name(), 1L, Long::sum);
      case Event.EventsDropped e -> lost += e.count();
      case Event.OfNode e -> count(e);
      case Event.InterruptAnswered _,
          Event.MatrixObserved _,
          Event.MatrixRouted _,
          Event.MatrixFailed _,
          Event.StateUpdated _,
          Event.ThreadForked _,
          Event.SubgraphStarted _,
          Event.SubgraphCompleted _,
          Event.RoutesSelected _ -> {}
    }
  }

  private void count(Event.OfNode event) {
    var at = event.origin();
    switch (event) {
      case Event.NodeStarted e -> {
        node(at, e.node()).started++;
        run(at).tasks.put(new Task(at.path(), e.task()), Stage.AT_WORK);
      }
      case Event.NodeRetried e -> node(at, e.node()).retries++;
      case Event.NodeFailed e -> fail(e);
      case Event.NodeFinished e -> finish(e);
      case Event.NodeEmitted _,
          Event.TextArrived _,
          Event.PieceArrived _,
          Event.ContextForked _,
          Event.ContextJoined _,
          Event.InterruptRaised _,
          Event.NodeUpdated _,
          Event.TaskStarted _,
          Event.TaskRestored _,
          Event.TaskEnded _ -> {}
    }
  }

  private void begin(Event.RunStarted event) {
    started++;
    if (event.resumed()) resumed++;
    run(event.origin());
  }

  private void end(Origin at, RunEnd how) {
    ends.merge(how, 1L, Long::sum);
    var run = open.remove(at.run());
    if (run != null) runsTook.add(Duration.between(run.began, at.at()));
  }

  private void finish(Event.StepFinished event) {
    var at = event.origin();
    var steps = run(at).steps;
    var began = steps.get(Step.of(at));
    if (began != null) {
      stepsTook.add(Duration.between(began.remove(), at.at()));
      if (began.isEmpty()) steps.remove(Step.of(at));
    }
    for (var name : event.changed()) channel(at, name).changes++;
  }

  private void fail(Event.NodeFailed event) {
    var tally = node(event.origin(), event.node());
    if (event.then() == Event.NodeFailed.Then.ABORT) {
      tally.failed++;
      leave(event);
      return;
    }
    tally.handled++;
    // Its task ends all the same, which is no success.
    var key = new Task(event.origin().path(), event.task());
    run(event.origin()).tasks.put(key, Stage.HANDLED);
  }

  private void finish(Event.NodeFinished event) {
    var at = event.origin();
    for (var name : event.channels()) channel(at, name).writers++;
    if (leave(event) != Stage.AT_WORK) return;
    var tally = node(at, event.node());
    tally.finished++;
    tally.took.add(event.took());
  }

  private void size(Origin at, String name, String json) {
    var tally = channel(at, name);
    tally.size = json.length();
    tally.largest = Math.max(tally.largest, tally.size);
  }

  /// Removes a task from those at work and returns its stage; null if it was not among them.
  private @Nullable Stage leave(Event.OfNode event) {
    var at = event.origin();
    return run(at).tasks.remove(new Task(at.path(), event.task()));
  }

  private NodeTally node(Origin at, String name) {
    return nodes.computeIfAbsent(new Named(at.graph(), name), _ -> new NodeTally());
  }

  private ChannelTally channel(Origin at, String name) {
    return channels.computeIfAbsent(new Named(at.graph(), name), _ -> new ChannelTally());
  }

  /// Returns the state of a run; for a run whose beginning was not received, the state from now on.
  private OpenRun run(Origin at) {
    var run = open.get(at.run());
    if (run != null) return run;
    run = new OpenRun(at.at());
    open.put(at.run(), run);
    if (open.size() > OPEN_MOST) open.pollFirstEntry();
    return run;
  }
}
