package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.eval.junit.EvaluationTests;
import dev.superstep.eval.report.HtmlReport;
import dev.superstep.eval.report.TextReport;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.RecordedModel;
import dev.superstep.model.RecordingModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.testkit.agent.FakeTool;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// An evaluation with checks and a judge, cases from threads, and recordings of a model.
class RefundEvaluationTest {
  @TempDir Path folder;

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  @BeforeEach
  void writeDataset() throws IOException {
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

  private static final Agent<String> SHOP = shop(ScriptedModel.by(RefundEvaluationTest::answer));

  private static Agent<String> shop(ChatModel model) {
    return Agent.named("shop")
        .model(model)
        .tools(
            FakeTool.named("look_up").by(_ -> ToolResult.of("found")).tool(),
            FakeTool.named("refund").by(_ -> ToolResult.of("refunded")).tool())
        .build();
  }

  private static ChatReply answer(ChatRequest request) {
    var last = request.messages().getLast();
    if (!(last instanceof ToolMessage result)) {
      return ScriptedModel.calls(new ToolCall("a", "look_up", "{\"order\":17}"));
    }
    return result.tool().equals("look_up")
        ? ScriptedModel.calls(new ToolCall("b", "refund", "{\"order\":17}"))
        : ScriptedModel.text("We are sorry. You get 30 EUR back.");
  }

  private static EvaluationResult measure(Agent<String> agent, Path folder, Checkpointer store)
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

  private static Evaluation judged(Evaluation evaluation, ChatModel model, Path folder) {
    var judge =
        Judge.passOrFail("polite", model, "The answer is polite, and does not blame the customer.");
    return evaluation.judgedBy(judge, Labelled.read(folder.resolve("polite.jsonl")), 0.6);
  }

  private static void keep(Agent<String> agent, String thread, Path folder, Checkpointer store) {
    var item = RecordedCases.in(store).of(agent, thread).withTags("from a customer");
    Dataset.append(folder.resolve("refunds.jsonl"), item);
  }

  @Test
  void anAgentIsMeasuredByItsToolsAndItsOutput() throws InterruptedException {
    var result = measure(SHOP, folder, store);
    assertThat(result.summary().trials()).isEqualTo(6);
    assertThat(result.summary().passed()).isEqualTo(3);
    assertThat(TextReport.of(result)).contains("late #1: contains: lacks `10 EUR`");
    assertThat(HtmlReport.of(result)).contains("50 %");
  }

  @Test
  void aJudgeThatAgreesWithPeopleIsTrusted() throws InterruptedException {
    var model =
        ScriptedModel.by(request -> {
          boolean isPolite = request.messages().getLast().text().contains("sorry");
          return ScriptedModel.text("{\"reason\":\"r\",\"passed\":" + isPolite + "}");
        });
    var dataset = Dataset.read(folder.resolve("refunds.jsonl"));
    var evaluation = Evaluation.named("judged", dataset, Subject.agent(SHOP));
    var result = judged(evaluation, model, folder).run(store);
    assertThat(result.judges().getFirst().isTrusted()).isTrue();
    assertThat(result.summary().passed()).isEqualTo(2);
  }

  @Test
  void aThreadBecomesACase() throws InterruptedException {
    var _ = SHOP.run("Order 17 is broken again.", RunOptions.thread("t").checkpoints(store));
    keep(SHOP, "t", folder, store);
    var item = Dataset.read(folder.resolve("refunds.jsonl")).find("t").orElseThrow();
    assertThat(item.input()).isEqualTo(Json.string("Order 17 is broken again."));
    assertThat(item.expected()).contains(Json.string("We are sorry. You get 30 EUR back."));
    assertThat(item.tools())
        .containsExactly(
            ExpectedCall.of("look_up", Json.parse("{\"order\":17}")),
            ExpectedCall.of("refund", Json.parse("{\"order\":17}")));
    assertThat(item.tags()).containsExactly("from a customer");
    assertThatThrownBy(() -> keep(SHOP, "nothing", folder, store))
        .isInstanceOf(NothingRecorded.class);
  }

  @Test
  void theLastTurnOfAConversationBecomesACase() throws InterruptedException {
    var options = RunOptions.thread("talk").checkpoints(store);
    var _ = SHOP.run("Order 17 is broken.", options);
    var _ = SHOP.run("And order 18?", options);
    var item = RecordedCases.in(store).of(SHOP, "talk");
    assertThat(item.inputText())
        .contains("\"role\":\"assistant\",\"content\":\"We are sorry. You get 30 EUR back.\"")
        .endsWith("{\"role\":\"user\",\"content\":\"And order 18?\"}]}");
    assertThat(item.tools()).hasSize(2);
    var result = Evaluation.named("talk", Dataset.of(item), Subject.agent(SHOP)).run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  @Test
  void aRunOfAGraphBecomesACase() throws InterruptedException {
    var number = Channel.latest("number", Integer.class);
    var graph =
        Graph.named("twice")
            .channels(number)
            .node("double", state -> Update.of(number, 2 * state.get(number)))
            .sequence(Graph.START, "double", Graph.END)
            .compile();
    var _ = graph.invoke(Input.of(number, 4), RunOptions.thread("n").checkpoints(store));
    var item =
        RecordedCases.in(store)
            .of(
                graph,
                "n",
                state -> Json.of(state.get(number)),
                state -> Json.of(state.get(number)));
    assertThat(item)
        .isEqualTo(Case.of("n", Json.of(4)).withExpected(Json.of(8)).withMetadata("thread", "n"));
  }

  @Test
  void anEvaluationRunsOfflineOnARecordingOfItsModel() throws InterruptedException {
    var cassette = folder.resolve("cassette.jsonl");
    var dataset = Dataset.read(folder.resolve("refunds.jsonl"));
    var live = ScriptedModel.by(RefundEvaluationTest::answer);
    try (var recording = RecordingModel.open(cassette, live, "refunds", Instant::now)) {
      var subject = Subject.agent(shop(recording));
      var result = Evaluation.named("live", dataset, subject).run(store);
      assertThat(result.summary().passed()).isEqualTo(2);
    }
    var subject = Subject.agent(shop(RecordedModel.open(cassette)));
    var result =
        Evaluation.named("offline", dataset, subject).checks(Checks.contains("30 EUR")).run(store);
    assertThat(result.summary().passed()).isEqualTo(2);
  }

  @TestFactory
  Stream<DynamicTest> refunds() throws InterruptedException {
    var dataset = Dataset.read(folder.resolve("refunds.jsonl")).only(c -> c.id().equals("broken"));
    var evaluation =
        Evaluation.named("tests", dataset, Subject.agent(SHOP)).checks(Checks.containsExpected());
    return EvaluationTests.cases(evaluation, store);
  }
}
