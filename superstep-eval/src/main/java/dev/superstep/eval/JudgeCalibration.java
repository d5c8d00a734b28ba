package dev.superstep.eval;

import dev.superstep.eval.check.Judge;
import dev.superstep.eval.dataset.Labelled;
import java.util.HashSet;
import java.util.List;

/// The examples by which a judge is measured.
///
/// @param kappa the least agreement
record JudgeCalibration(Judge judge, List<Labelled> examples, double kappa) {
  JudgeCalibration {
    examples = List.copyOf(examples);
    if (examples.isEmpty()) {
      throw new IllegalArgumentException(
          "examples of judge `" + judge.name() + "` must not be empty");
    }
    var ids = new HashSet<String>();
    for (var one : examples) {
      if (!ids.add(one.item().id())) {
        throw new IllegalArgumentException(
            "examples of judge `%s` have id `%s` twice".formatted(judge.name(), one.item().id()));
      }
    }
  }
}
