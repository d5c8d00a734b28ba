package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Signal;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.FatalErrors;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.RouteOverride;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.publish.EventPublisher;
import dev.superstep.run.MatrixHook;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conversation between a run and its matrix at the end of one superstep. Exceptions of the
/// hook stay in this class. For the run's own thread.
final class MatrixSession implements RouteOverride {
  private final MatrixHook hook;
  private final EventPublisher publisher;
  private final int step;
  private final List<Task> tasks;
  private final List<TaskResult.Finished> ends;
  private final Map<String, Optional<List<String>>> asked = new LinkedHashMap<>();
  private final List<Function<Origin, Event>> facts = new ArrayList<>();
  private boolean observed;

  private MatrixSession(
      MatrixHook hook,
      EventPublisher publisher,
      int step,
      List<Task> tasks,
      List<TaskResult.Finished> ends) {
    this.hook = hook;
    this.publisher = publisher;
    this.step = step;
    this.tasks = tasks;
    this.ends = ends;
  }

  /// Returns no override if the run has no matrix. Subgraphs have none either, since the order in
  /// which they advance is not determined.
  static RouteOverride of(
      RunScope scope, int step, List<Task> tasks, List<TaskResult.Finished> ends) {
    var hook = scope.options().matrix();
    if (hook == null || scope.enclosing() != null) return RouteOverride.NONE;
    return new MatrixSession(hook, scope.publisher(), step, tasks, ends);
  }

  /// Lets the hook see the signals, once. They are seen before anything is asked and after the
  /// fold: a superstep that cannot be folded teaches nothing.
  private void observe() {
    if (observed) return;
    observed = true;
    for (int i = 0; i < ends.size(); i++) {
      var signal = ends.get(i).signal();
      if (signal != null) observe(tasks.get(i), signal);
    }
  }

  @Override
  public void applied() {
    observe();
  }

  private void observe(Task task, Signal signal) {
    var node = task.node();
    var from = from(task.due().activation());
    guard(
        Event.MatrixFailed.During.OBSERVE,
        node,
        () -> {
          hook.onConverge(node, signal);
          if (from != null) hook.recordTransition(from, node, signal.quality());
          if (publisher.hasListeners()) deliver(task, signal);
          return null;
        });
  }

  private void deliver(Task task, Signal signal) {
    var node = task.node();
    var id = task.id();
    double cValue = finite("cValue", hook.cValue());
    double completion = finite("completion", hook.completion());
    boolean converged = hook.isConverged();
    facts.add(o -> new Event.MatrixObserved(o, node, id, signal, cValue, completion, converged));
  }

  private static double finite(String what, double number) {
    if (Double.isFinite(number)) return number;
    throw new IllegalStateException("its " + what + " is " + number);
  }

  /// The node whose edge led to a task, or null if none did, or several.
  private static @Nullable String from(Activation activation) {
    return switch (activation) {
      case Activation.Edge(var from) -> from;
      case Activation.Routed(var from) -> from;
      case Activation.Commanded(var from) -> from;
      case Activation.Sent(var from) -> from;
      // The predecessor of a task that asked is not stored with its question.
      case Activation.Resumed _ -> null;
      case Activation.Entry(), Activation.Joined(), Activation.Triggered _ -> null;
    };
  }

  @Override
  public @Nullable List<String> choose(String from, int number, NodeSpec.Route route) {
    observe();
    var router = RouteOverride.router(from, number);
    var known = asked.get(router);
    if (known == null) {
      known = Optional.ofNullable(ask(router, from, route));
      asked.put(router, known);
    }
    return known.orElse(null);
  }

  private @Nullable List<String> ask(String router, String from, NodeSpec.Route route) {
    // Several labels may lead to one target.
    var candidates = route.targets().stream().distinct().toList();
    var junction = new MatrixHook.Junction(router, from, candidates, route.one(), step);
    var chosen =
        guard(
            Event.MatrixFailed.During.ROUTE,
            from,
            () -> checked(junction, hook.route(junction).orElse(null)));
    if (chosen != null && publisher.hasListeners()) {
      facts.add(o -> new Event.MatrixRouted(o, from, router, chosen));
    }
    return chosen;
  }

  private static @Nullable List<String> checked(
      MatrixHook.Junction junction, @Nullable List<String> chosen) {
    if (chosen == null) return null;
    var targets = chosen.stream().distinct().toList();
    if (junction.single() && targets.size() != 1) {
      throw new IllegalArgumentException("it chose " + targets + " where one is to be chosen");
    }
    if (junction.candidates().containsAll(targets)) return targets;
    throw new IllegalArgumentException("it chose " + targets + " among " + junction.candidates());
  }

  @Override
  public Map<String, List<String>> chosen() {
    var chosen = new LinkedHashMap<String, List<String>>();
    asked.forEach((router, targets) -> targets.ifPresent(all -> chosen.put(router, all)));
    return chosen;
  }

  /// Publishes what happened; to be called once the superstep is saved.
  @Override
  public void announce(EventSink sink) {
    for (var fact : facts) sink.publish(step, fact);
  }

  /// A use of the hook.
  @FunctionalInterface
  private interface Use<T> {
    @Nullable T get();
  }

  private <T> @Nullable T guard(Event.MatrixFailed.During during, String node, Use<T> use) {
    try {
      return use.get();
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      var why = NodeFailed.why(e);
      facts.add(o -> new Event.MatrixFailed(o, node, during, why));
      return null;
    }
  }
}
