package dev.superstep.eval;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import java.nio.file.Path;

/// A program of the guide: recorded runs of typed flows and of graphs become cases.
final class RecordedFlow {
  private RecordedFlow() {}

  static EvaluationResult measure(Flow<?, ?> flow, String thread, Path file, Checkpointer store)
      throws InterruptedException {
    var recorded = RecordedCases.in(store);
    Dataset.append(file, recorded.of(flow.graph(), thread, flow::encodeInput, flow::encodeOutput));
    var subject = Subject.graph(flow.graph(), flow::decodeInput, flow::encodeOutput);
    return Evaluation.named("flow", Dataset.read(file), subject)
        .checks(Checks.equalsExpected())
        .run(store);
  }

  static EvaluationResult measure(Graph graph, String thread, Path file, Checkpointer store)
      throws InterruptedException {
    Dataset.append(file, RecordedCases.in(store).of(graph, thread));
    return Evaluation.named("graph", Dataset.read(file), Subject.graph(graph))
        .checks(Checks.equalsExpected())
        .run(store);
  }
}
