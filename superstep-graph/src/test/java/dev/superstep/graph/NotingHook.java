package dev.superstep.graph;

import dev.superstep.checkpoint.Signal;
import dev.superstep.run.MatrixHook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Writes down what it is told and asked, and chooses as it was made to.
final class NotingHook implements MatrixHook {
  final List<String> notes = new ArrayList<>();
  final List<Junction> asked = new ArrayList<>();
  private final Function<Junction, Optional<List<String>>> choice;

  NotingHook(Function<Junction, Optional<List<String>>> choice) {
    this.choice = choice;
  }

  /// Without any opinion.
  static NotingHook silent() {
    return new NotingHook(_ -> Optional.empty());
  }

  static NotingHook choosing(String... targets) {
    return new NotingHook(_ -> Optional.of(List.of(targets)));
  }

  @Override
  public void onConverge(String node, Signal signal) {
    notes.add(node + " " + signal.quality());
  }

  @Override
  public void recordTransition(String from, String to, double quality) {
    notes.add(from + "->" + to + " " + quality);
  }

  @Override
  public Optional<List<String>> route(Junction junction) {
    asked.add(junction);
    notes.add("route " + junction.router() + " " + junction.step());
    return choice.apply(junction);
  }

  @Override
  public double cValue() {
    return 0.25;
  }

  @Override
  public double completion() {
    return 0.5;
  }

  @Override
  public boolean isConverged() {
    return false;
  }
}
