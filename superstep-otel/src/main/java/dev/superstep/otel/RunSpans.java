package dev.superstep.otel;

import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The open spans of one run as a tree: the run, the tasks of its graph, their subgraphs with their
/// agents, and so on. For the thread that receives the events of the run.
final class RunSpans {
  private final TelemetryOutput output;
  private final OpenSpan run;
  private final Map<List<String>, GraphScope> scopes = new LinkedHashMap<>();
  private final Map<Place, OpenTask> tasks = new LinkedHashMap<>();
  private long leftOut;

  /// A task; its id is unique in the graph at this path.
  private record Place(List<String> path, String task) {}

  RunSpans(TelemetryOutput output, OpenSpan run) {
    this.output = output;
    this.run = run;
  }

  OpenSpan run() {
    return run;
  }

  /// Returns the number of spans that were not created because too many were open.
  long leftOut() {
    return leftOut;
  }

  void leaveOut() {
    leftOut++;
  }

  /// Returns the graph with this path. If its start was not received, or it was resumed, it belongs
  /// to the task with its name.
  GraphScope scope(List<String> path) {
    var known = scopes.get(path);
    if (known != null) return known;
    var made = new GraphScope(path, path.isEmpty() ? run.context() : parent(path));
    scopes.put(path, made);
    return made;
  }

  private Context parent(List<String> path) {
    var outer = path.subList(0, path.size() - 1);
    var name = path.getLast();
    for (var task : List.copyOf(tasks.values()).reversed()) {
      if (task.path().equals(outer) && task.name().equals(name)) return context(task);
    }
    return scope(List.copyOf(outer)).context();
  }

  /// Opens the scope of a subgraph that has begun in a task.
  void enter(List<String> path, String task) {
    var outer = tasks.get(new Place(path.subList(0, path.size() - 1), task));
    if (outer != null) scopes.put(path, new GraphScope(path, context(outer)));
  }

  /// The task, if it is open.
  @Nullable OpenTask task(Event.OfNode event) {
    return task(event.origin().path(), event.task());
  }

  @Nullable OpenTask task(List<String> path, String task) {
    return tasks.get(new Place(path, task));
  }

  /// The task with this id, in whatever graph.
  @Nullable OpenTask task(String id) {
    for (var task : tasks.values()) if (task.id().equals(id)) return task;
    return null;
  }

  /// The task, which begins if it is not open; or none if too many spans are.
  @Nullable OpenTask begin(Origin at, String node, String id) {
    var place = new Place(at.path(), id);
    var known = tasks.get(place);
    if (known != null) return known;
    if (!output.room().tryAcquire()) {
      leftOut++;
      return null;
    }
    var made = new OpenTask(at, node, id);
    tasks.put(place, made);
    return made;
  }

  /// The span of a task.
  OpenSpan span(OpenTask task) {
    return task.span(() -> {
      var draft = TelemetryOutput.Draft.of("node " + task.node(), task.attributes().build());
      return output.placed(draft, scope(task.path()).context(), task.began());
    });
  }

  Context context(OpenTask task) {
    return span(task).context();
  }

  /// The span of what a task does now.
  OpenSpan innermost(OpenTask task) {
    return task.calls().isEmpty() ? span(task) : task.calls().getLast().span();
  }

  /// Ends a task with all spans inside it, and its agent if it was the last task of that.
  void close(OpenTask task, Outcome outcome, Instant at) {
    drop(task, outcome, at);
    closeInside(inside(task), outcome, at);
    var span = span(task).set(AttributeKeys.OUTCOME, outcome.text());
    if (outcome == Outcome.FAILED) span.failed(code(task));
    var waits = task.waits();
    span.end(waits == null ? at : waits);
    tasks.remove(new Place(task.path(), task.id()));
    var scope = scope(task.path());
    var agent = scope.agent();
    if (agent == null || !agent.endsIn(task.id())) return;
    agent.end(outcome, at, output.instruments());
    scope.agent(null);
  }

  private static List<String> inside(OpenTask task) {
    return inside(task.path(), task.name());
  }

  private static List<String> inside(List<String> path, String name) {
    var inner = new ArrayList<>(path);
    inner.add(name);
    return List.copyOf(inner);
  }

  /// Ends the spans inside a task that has no span.
  void closeInside(Event.OfNode event, Outcome outcome) {
    var at = event.origin();
    var name = OpenTask.nameOf(event.node(), event.task());
    closeInside(inside(at.path(), name), outcome, at.at());
  }

  private static String code(OpenTask task) {
    return task.code().isEmpty() ? RunTrace.OTHER : task.code();
  }

  /// Ends the calls of a task, which have no answer.
  void drop(OpenTask task, Outcome outcome, Instant at) {
    for (var call : task.calls().reversed()) {
      var span = call.span().set(AttributeKeys.OUTCOME, outcome.text());
      if (outcome == Outcome.FAILED) span.failed(code(task));
      span.end(at);
    }
    task.calls().clear();
  }

  /// Ends the tasks of a superstep whose end was not heard.
  void closeStep(Origin at) {
    var left = new ArrayList<OpenTask>();
    for (var task : tasks.values()) {
      if (task.path().equals(at.path()) && task.step() <= at.step()) left.add(task);
    }
    for (var task : left.reversed()) close(task, Outcome.ABANDONED, at.at());
  }

  /// Ends everything in the graph with this path and in its subgraphs.
  void closeInside(List<String> path, Outcome outcome, Instant at) {
    // What is inside of a task ends with it, so it may be gone when its turn comes.
    for (var task : List.copyOf(tasks.values()).reversed()) {
      if (!isWithin(task.path(), path) || task(task.path(), task.id()) == null) continue;
      close(task, left(task, outcome), at);
    }
    var all = new ArrayList<>(scopes.values());
    all.sort(Comparator.comparingInt((GraphScope scope) -> scope.path().size()).reversed());
    for (var scope : all) {
      if (!isWithin(scope.path(), path)) continue;
      scopes.remove(scope.path());
      var agent = scope.agent();
      if (agent != null) agent.end(outcome, at, output.instruments());
    }
  }

  /// Returns the outcome of a task that was still open when its parent ended.
  private static Outcome left(OpenTask task, Outcome around) {
    if (task.waits() != null) return Outcome.INTERRUPTED;
    return switch (around) {
      case COMPLETED, FAILED, ABANDONED -> Outcome.ABANDONED;
      case INTERRUPTED, STOPPED -> around;
    };
  }

  private static boolean isWithin(List<String> path, List<String> outer) {
    return path.size() >= outer.size() && path.subList(0, outer.size()).equals(outer);
  }
}
