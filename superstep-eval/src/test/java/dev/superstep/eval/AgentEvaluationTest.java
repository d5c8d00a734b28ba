package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.check.ToolMatch;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.testkit.agent.FakeTool;
import dev.superstep.testkit.model.FlakyModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Evaluations of agents: their tools, questions, limits, budgets and judges.
@Timeout(120)
class AgentEvaluationTest {
  private final Checkpointer store = new InMemoryCheckpointer();

  private static final ChatReply LOOK_UP =
      ScriptedModel.calls(new ToolCall("c1", "look_up", "{\"order\":17}"));

  /// Looks an order up, refunds it, and says so; for each conversation anew.
  private static ChatReply refunding(ChatRequest request) {
    return switch (request.messages().getLast()) {
      case UserMessage _ -> LOOK_UP;
      case ToolMessage result when result.tool().equals("look_up") ->
          ScriptedModel.calls(new ToolCall("c2", "refund", "{\"order\":17}"));
      default ->
          ScriptedModel.reply(
              new AssistantMessage("", "You get 30 EUR.", List.of()),
              new Usage(100, 0, 10, 0),
              ChatReply.Finish.STOP);
    };
  }

  private static AgentBuilder shop(ToolPolicy refunds) {
    return Agent.named("shop")
        .model(ScriptedModel.by(AgentEvaluationTest::refunding))
        .tools(
            FakeTool.named("look_up")
                .by(_ -> ToolResult.of("broken"))
                .tool()
                .withPolicy(ToolPolicy.readOnly()),
            FakeTool.named("refund").by(_ -> ToolResult.of("refunded")).tool().withPolicy(refunds));
  }

  private static Agent<String> shop() {
    return shop(ToolPolicy.readOnly()).build();
  }

  private static final Case REFUND =
      Case.of("refund", "Order 17 is broken.")
          .withExpected("30 EUR")
          .withTools(
              ExpectedCall.of("look_up"), ExpectedCall.of("refund", Json.parse("{\"order\":17}")));

  @Test
  void anAgentIsCheckedByItsAnswerAndItsTools() throws InterruptedException {
    var result =
        Evaluation.named("shop", Dataset.of(REFUND), Subject.agent(shop()))
            .checks(Checks.containsExpected(), Checks.tools(ToolMatch.EXACT))
            .prices((_, usage) -> Optional.of(BigDecimal.valueOf(usage.total(), 4)), "USD")
            .run(store);
    var trial = result.trials().getFirst();
    assertThat(trial.isPassed()).as(trial.results().toString()).isTrue();
    assertThat(trial.observation().spent().calls()).isEqualTo(3);
    assertThat(trial.observation().spent().usage().total()).isEqualTo(110);
    assertThat(result.summary().subject().cost()).isEqualByComparingTo("0.011");
    assertThat(result.currency()).isEqualTo("USD");
  }

  @Test
  void aConversationIsAnInput() throws InterruptedException {
    var item =
        Case.of(
            "talk",
            Json.parse(
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\",\"content\":\"Hello\"},{\"role\":\"user\",\"content\":\"17\"}]}"));
    var result =
        Evaluation.named("talk", Dataset.of(item), Subject.agent(shop()))
            .checks(Checks.contains("30 EUR"))
            .run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  @Test
  void anInputThatTheAgentCannotTakeIsAResult() throws InterruptedException {
    var item = Case.of("bad", Json.parse("{\"messages\":[]}"));
    var result = Evaluation.named("bad", Dataset.of(item), Subject.agent(shop())).run(store);
    assertThat(result.trials().getFirst().observation().error())
        .isEqualTo("program.unusable-input");
  }

  @Test
  void aQuestionThatNobodyAnswersIsAResult() throws InterruptedException {
    var subject = Subject.agent(asking());
    var asked = Evaluation.named("asked", Dataset.of(REFUND), subject).run(store);
    var seen = asked.trials().getFirst().observation();
    assertThat(seen.ending()).isEqualTo(Ending.WAITING);
    assertThat(seen.questions()).containsExactly("review");
    assertThat(seen.reason()).contains("it asks [review], and the case has no answer");
    var expected = REFUND.withEnding(Ending.WAITING);
    var result = Evaluation.named("expected", Dataset.of(expected), subject).run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  private static Agent<String> asking() {
    return shop(ToolPolicy.of(SideEffect.PAYMENT))
        .gate(ToolGate.open().confirming("refund"))
        .build();
  }

  @Test
  void aCaseAnswersTheQuestionsOfAnAgent() throws InterruptedException {
    var approved = REFUND.withAnswer("review", Json.string("approve"));
    var result =
        Evaluation.named("approved", Dataset.of(approved), Subject.agent(asking()))
            .checks(Checks.containsExpected())
            .run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
    var rejected = REFUND.withAnswer("review", Json.string("reject: too late"));
    var other = Evaluation.named("rejected", Dataset.of(rejected), Subject.agent(asking()));
    assertThat(other.run(store).trials().getFirst().observation().ending())
        .isEqualTo(Ending.ANSWERED);
    var wrong = REFUND.withAnswer("review", Json.of(3));
    var bad = Evaluation.named("wrong", Dataset.of(wrong), Subject.agent(asking()));
    assertThat(bad.run(store).trials().getFirst().observation().ending()).isEqualTo(Ending.FAILED);
  }

  private static final Question<String, Integer> AGE =
      Question.of("age", String.class, Integer.class);
  private static final Channel<Integer, Integer> FOUND = Channel.latest("found", Integer.class);

  /// Asks for an age inside of a graph inside.
  private static Graph nested() {
    var inner =
        Graph.named("inner")
            .channels(FOUND)
            .questions(AGE)
            .node("ask", (_, context) -> Update.of(FOUND, context.interrupt(AGE, "How old?")))
            .sequence(Graph.START, "ask", Graph.END)
            .compile();
    return Graph.named("outer")
        .channels(FOUND)
        .node(
            "inside",
            Subgraph.of(inner, _ -> Input.none(), state -> Update.of(FOUND, state.get(FOUND))))
        .sequence(Graph.START, "inside", Graph.END)
        .compile();
  }

  @Test
  void aQuestionOfAGraphInsideIsAnsweredByTheCase() throws InterruptedException {
    var item = Case.of("a", "x").withAnswer("age", Json.of(7)).withExpected(Json.of(7));
    var subject = Subject.graph(nested(), _ -> Input.none(), state -> Json.of(state.get(FOUND)));
    var result =
        Evaluation.named("nested", Dataset.of(item, Case.of("b", "x")), subject).run(store);
    assertThat(result.trials("a").getFirst().observation().text()).isEqualTo("7");
    assertThat(result.trials("b").getFirst().observation().questions()).containsExactly("age");
  }

  @Test
  void aLimitOfTheAgentIsAResult() throws InterruptedException {
    var strict = shop(ToolPolicy.readOnly()).modelCalls(2);
    var thrown =
        Evaluation.named("thrown", Dataset.of(REFUND), Subject.agent(strict.build())).run(store);
    var seen = thrown.trials().getFirst().observation();
    assertThat(seen.ending()).isEqualTo(Ending.LIMIT);
    assertThat(seen.error()).isEqualTo("agent.model-call-limit");
    var lenient = strict.onLimit(OnLimit.RETURN_PARTIAL).build();
    var partial =
        Evaluation.named("partial", Dataset.of(REFUND), Subject.agent(lenient)).run(store);
    assertThat(partial.trials().getFirst().observation().ending()).isEqualTo(Ending.LIMIT);
    assertThat(partial.trials().getFirst().observation().tools()).hasSize(2);
  }

  private static Dataset refunds(int many) {
    return new Dataset(
        IntStream.range(0, many).mapToObj(i -> Case.of("r" + i, "Order " + i)).toList());
  }

  @Test
  void aBudgetOfTheAgentIsAResultAndThatOfTheEvaluationIsNone() throws InterruptedException {
    var own = shop(ToolPolicy.readOnly()).budget(Budget.unlimited().calls(1)).build();
    var result = Evaluation.named("own", refunds(3), Subject.agent(own)).run(store);
    assertThat(result.summary().endings()).containsEntry(Ending.LIMIT, 3);
    assertThat(result.isComplete()).isTrue();
  }

  @Test
  void aBudgetStopsTheEvaluationAndSaysWhatIsMissing() throws InterruptedException {
    // Each trial takes three calls.
    var evaluation = Evaluation.named("budget", refunds(10), Subject.agent(shop())).concurrency(2);
    var result = evaluation.budget(Budget.unlimited().calls(14)).run(store);
    assertThat(result.trials()).hasSize(4);
    assertThat(result.missing()).hasSize(6);
    assertThat(result.stopped()).isPresent();
    assertThat(result.missing().getFirst().reason()).contains("14 calls");
    assertThat(result.summary().passed()).isEqualTo(4);
    var same = evaluation.budget(Budget.unlimited().calls(14)).run(store);
    assertThat(same.trials()).hasSize(4);
    var more = evaluation.budget(Budget.unlimited().calls(30)).run(store);
    assertThat(more.isComplete()).isTrue();
    assertThat(more.summary().subject().calls()).isEqualTo(30);
  }

  @Test
  void aPartialAnswerBecauseOfTheBudgetOfTheEvaluationIsNoResult() throws InterruptedException {
    var lenient = shop(ToolPolicy.readOnly()).onLimit(OnLimit.RETURN_PARTIAL).build();
    var evaluation = Evaluation.named("partial", refunds(3), Subject.agent(lenient)).concurrency(1);
    var result = evaluation.budget(Budget.unlimited().calls(5)).run(store);
    assertThat(result.trials()).hasSize(1);
    assertThat(result.missing()).extracting(MissingTrial::item).containsExactly("r1", "r2");
    var more = evaluation.run(store);
    assertThat(more.summary().passed()).isEqualTo(3);
  }

  private static ChatReply judging(ChatRequest request) {
    boolean passes = request.messages().getLast().text().contains("30 EUR");
    return ScriptedModel.reply(
        new AssistantMessage("", "{\"reason\":\"r\",\"passed\":" + passes + "}", List.of()),
        new Usage(50, 0, 5, 0),
        ChatReply.Finish.STOP);
  }

  private static final List<Labelled> LABELLED =
      List.of(
          new Labelled(Case.of("a", "x"), Json.string("You get 30 EUR."), true),
          new Labelled(Case.of("b", "x"), Json.string("No."), false));

  @Test
  void aJudgeIsMeasuredBeforeItsVerdictsAreCounted() throws InterruptedException {
    var model = ScriptedModel.by(AgentEvaluationTest::judging);
    var judge = Judge.passOrFail("names the sum", model, "The answer names the sum.");
    var evaluation =
        Evaluation.named("judged", refunds(3), Subject.agent(shop()))
            .judgedBy(judge, LABELLED, 0.6);
    var result = evaluation.run(store);
    assertThat(result.summary().passed()).isEqualTo(3);
    assertThat(result.summary().judging().calls()).isEqualTo(3);
    assertThat(result.summary().judging().usage().total()).isEqualTo(165);
    assertThat(result.judges().getFirst().isTrusted()).isTrue();
    assertThat(result.judges().getFirst().agreement().kappa()).isOne();
    assertThat(evaluation.run(store)).isEqualTo(result);
    assertThat(model.requests()).hasSize(5);
    assertThat(Evaluation.stored("judged", store).judges()).isEqualTo(result.judges());
  }

  @Test
  void aJudgeThatAgreesTooLittleIsMarked() throws InterruptedException {
    var generous = ScriptedModel.by(_ -> ScriptedModel.text("{\"reason\":\"r\",\"passed\":true}"));
    var judge = Judge.passOrFail("generous", generous, "Anything.");
    var result =
        Evaluation.named("generous", refunds(1), Subject.agent(shop()))
            .judgedBy(judge, LABELLED, 0.6)
            .run(store);
    assertThat(result.judges().getFirst().isTrusted()).isFalse();
    assertThat(result.judges().getFirst().agreement().kappa()).isZero();
  }

  @Test
  void aJudgeThatCannotBeAskedGivesNoVerdict() throws InterruptedException {
    var down =
        FlakyModel.every(
            1, ModelException.Kind.OVERLOADED, ScriptedModel.by(AgentEvaluationTest::judging));
    var judge = Judge.passOrFail("down", down, "Anything.");
    var result =
        Evaluation.named("down", refunds(2), Subject.agent(shop()))
            .judgedBy(judge, LABELLED, 0.6)
            .run(store);
    assertThat(result.summary().checks().getFirst().errors()).isEqualTo(2);
    assertThat(result.judges().getFirst().agreement().errors()).isEqualTo(2);
    assertThat(result.judges().getFirst().isTrusted()).isFalse();
  }

  @Test
  void judgesSpendFromTheBudgetToo() throws InterruptedException {
    var judge =
        Judge.passOrFail("sum", ScriptedModel.by(AgentEvaluationTest::judging), "Names the sum.");
    var evaluation =
        Evaluation.named("spends", refunds(3), Subject.agent(shop())).checks(judge).concurrency(1);
    // Three calls of the agent, one of the judge; then three more, and none is left for the judge.
    var result = evaluation.budget(Budget.unlimited().calls(7)).run(store);
    assertThat(result.trials()).hasSize(1);
    assertThat(result.missing()).hasSize(2);
    var more = evaluation.budget(Budget.unlimited().calls(12)).run(store);
    assertThat(more.summary().passed()).isEqualTo(3);
  }
}
