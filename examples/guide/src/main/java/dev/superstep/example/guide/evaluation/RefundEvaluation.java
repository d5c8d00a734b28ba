package dev.superstep.example.guide.evaluation;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.Evaluation;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.RecordedCases;
import dev.superstep.eval.Subject;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.eval.report.TextReport;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// An evaluation of an agent that refunds orders. The models are scripted.
public final class RefundEvaluation {
  record Order(int order) {}

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

  private static Agent<String> shop() {
    return Agent.named("shop")
        .model(ScriptedModel.by(RefundEvaluation::reply))
        .tools(
            Tool.of("look_up", "Finds an order.", Order.class, (_, _) -> "a broken lamp"),
            Tool.of("refund", "Refunds an order.", Order.class, (_, _) -> "refunded"))
        .build();
  }

  /// Refunds every order, in place of a model.
  private static ChatReply reply(ChatRequest request) {
    if (!(request.messages().getLast() instanceof ToolMessage result)) {
      return ScriptedModel.calls(new ToolCall("a", "look_up", "{\"order\":17}"));
    }
    return result.tool().equals("look_up")
        ? ScriptedModel.calls(new ToolCall("b", "refund", "{\"order\":17}"))
        : ScriptedModel.text("We are sorry. You get 30 EUR back.");
  }

  /// Passes every answer that says sorry, in place of a model.
  private static ChatReply judge(ChatRequest request) {
    boolean isPolite = request.messages().getLast().text().contains("sorry");
    return ScriptedModel.text("{\"reason\":\"It says so.\",\"passed\":" + isPolite + "}");
  }

  private static void writeDatasets(Path folder) throws IOException {
    Files.writeString(
        folder.resolve("refunds.jsonl"),
        """
        {"id": "broken", "input": "Order 17 is broken.", "expected": "30 EUR", \
        "tools": ["look_up", {"tool": "refund", "arguments": {"order": 17}}]}
        {"id": "late", "input": "Order 18 is late.", "expected": "10 EUR", "tools": ["look_up"]}
        """);
    Files.writeString(
        folder.resolve("polite.jsonl"),
        """
        {"id": "a", "input": "Order 17 is broken.", "output": "We are sorry.", "passed": true}
        {"id": "b", "input": "Order 17 is broken.", "output": "Your fault.", "passed": false}
        """);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("refunds");
    writeDatasets(folder);
    var agent = shop();
    var store = new InMemoryCheckpointer();

    TextReport.of(measure(agent, folder, store))
        .lines()
        .filter(line -> !line.startsWith("time of a trial"))
        .forEach(System.out::println);

    var dataset = Dataset.read(folder.resolve("refunds.jsonl"));
    var evaluation = Evaluation.named("refunds-2", dataset, Subject.agent(agent));
    var judged = judged(evaluation, ScriptedModel.by(RefundEvaluation::judge), folder).run(store);
    System.out.println("judge trusted: " + judged.judges().getFirst().isTrusted());

    var _ = agent.run("Order 19 is broken.", RunOptions.thread("t-19").checkpoints(store));
    keep(agent, "t-19", folder, store);
    System.out.println(
        Dataset.read(folder.resolve("refunds.jsonl")).cases().getLast().input().text());
  }
}
