package dev.superstep.matrix;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Signal;
import dev.superstep.event.Event;
import dev.superstep.run.MatrixHook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Lets a run take the path that another one took, without the matrix that chose it: what was
/// chosen is chosen again, in the same supersteps, and where nothing was, the graph's own routers
/// decide. It learns nothing. Safe for many threads.
public final class RecordedChoices implements MatrixHook {
  private final Map<Integer, Map<String, List<String>>> byStep = new HashMap<>();
  private final Convergence convergence = new Convergence();

  private RecordedChoices() {}

  /// Reads the choices from the checkpoints of a thread, newest first, as
  /// [dev.superstep.checkpoint.Checkpointer#page] returns them. If two checkpoints are of one
  /// superstep, the newer one counts.
  public static RecordedChoices of(List<Checkpoint> history) {
    var choices = new RecordedChoices();
    for (var checkpoint : history) {
      choices.byStep.putIfAbsent(checkpoint.step(), checkpoint.progress().chosen());
    }
    return choices;
  }

  /// Reads the choices from the events of a run, oldest first. Events of other kinds, and of graphs
  /// inside nodes, are ignored.
  public static RecordedChoices ofEvents(List<Event> events) {
    var choices = new RecordedChoices();
    for (var event : events) {
      if (event instanceof Event.MatrixRouted(var origin, _, var router, var chosen)
          && origin.path().isEmpty()) {
        choices.byStep.computeIfAbsent(origin.step(), _ -> new HashMap<>()).put(router, chosen);
      }
    }
    return choices;
  }

  @Override
  public Optional<List<String>> route(Junction junction) {
    return Optional.ofNullable(
        byStep.getOrDefault(junction.step(), Map.of()).get(junction.router()));
  }

  @Override
  public void onConverge(String node, Signal signal) {
    convergence.add(signal);
  }

  @Override
  public void recordTransition(String from, String to, double quality) {}

  @Override
  public double cValue() {
    return convergence.cValue();
  }

  @Override
  public double completion() {
    return convergence.completion();
  }

  @Override
  public boolean isConverged() {
    return convergence.isConverged();
  }

  @Override
  public String toString() {
    return "RecordedChoices[" + byStep.size() + " steps]";
  }
}
