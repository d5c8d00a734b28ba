package dev.superstep.eval;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.model.ChatModel;
import java.nio.file.Path;

/// The program of the guide: an evaluation of an agent that refunds orders.
final class RefundEvaluation {
  private RefundEvaluation() {}

  static EvaluationResult measure(Agent<String> agent, Path folder, Checkpointer store)
      throws InterruptedException {
    var dataset = Dataset.read(folder.resolve("refunds.jsonl"));
    return Evaluation.named("refunds-1", dataset, Subject.agent(agent).withVersion("prompt 1"))
        .checks(Checks.containsExpected(), Checks.tools(ToolMatch.IN_ORDER))
        .checks(
            Check.of(
                "short",
                trial -> Verdict.when(trial.text().length() <= 200, "over 200 characters")))
        .repeats(3)
        .concurrency(8)
        .budget(Budget.unlimited().calls(500))
        .run(store);
  }

  static Evaluation judged(Evaluation evaluation, ChatModel model, Path folder) {
    var judge =
        Judge.passOrFail("polite", model, "The answer is polite, and does not blame the customer.");
    return evaluation.judgedBy(judge, Labelled.read(folder.resolve("polite.jsonl")), 0.6);
  }

  static void keep(Agent<String> agent, String thread, Path folder, Checkpointer store) {
    var item = RecordedCases.in(store).of(agent, thread).withTags("from a customer");
    Dataset.append(folder.resolve("refunds.jsonl"), item);
  }
}
