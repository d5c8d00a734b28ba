package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.ApprovalNeedsStore;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.OnUnknownTool;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// A streamed run ends like one that is not.
@Timeout(30)
class AgentStreamTest {
  record Nothing() {}

  private static final Tool PAY = Tool.of("pay", "Pays.", Nothing.class, (_, _) -> "paid");

  private static ScriptedModel paying() {
    return ScriptedModel.by(request ->
        request.messages().size() < 3
            ? ScriptedModel.calls(new ToolCall("c", "pay", "{}"))
            : ScriptedModel.text("Done."));
  }

  private static Agent<String> failing(RuntimeException error) {
    ChatModel model =
        ScriptedModel.by(_ -> {
          throw error;
        });
    return Agent.named("a").model(model).middleware(Retrying.times(1)).build();
  }

  private static Map<String, Agent<?>> failures() {
    var all = new LinkedHashMap<String, Agent<?>>();
    for (var kind : ModelException.Kind.values()) {
      all.put("a model that fails with " + kind, failing(new ModelException(kind, "no: " + kind)));
    }
    all.put("a limit", Agent.named("a").model(paying()).tools(PAY).modelCalls(1).build());
    all.put(
        "a budget",
        Agent.named("a").model(paying()).tools(PAY).budget(Budget.unlimited().calls(1)).build());
    all.put(
        "an empty answer twice",
        Agent.named("a").model(ScriptedModel.by(_ -> ScriptedModel.text(""))).build());
    all.put(
        "an unknown tool that fails the run",
        Agent.named("a").model(paying()).onUnknownTool(new OnUnknownTool.Fail()).build());
    all.put("an error of the program", failing(new IllegalStateException("a bug")));
    all.put(
        "an error of middleware",
        Agent.named("a")
            .model(paying())
            .middleware(
                new Middleware() {
                  @Override
                  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
                    throw new UnsupportedOperationException("not today");
                  }
                })
            .build());
    all.put(
        "an approval without a store",
        Agent.named("a")
            .model(paying())
            .tools(PAY)
            .gate(ToolGate.open().confirming("pay"))
            .build());
    all.put("an answer of the wrong form", wrongForm());
    return all;
  }

  record Verdict(int points) {}

  private static Agent<Verdict> wrongForm() {
    return Agent.named("a")
        .model(ScriptedModel.by(_ -> ScriptedModel.text("eh")))
        .answering(Verdict.class);
  }

  @TestFactory
  Stream<DynamicTest> each_failure_is_the_same_with_and_without_a_stream() {
    return failures().entrySet().stream()
        .map(failure -> DynamicTest.dynamicTest(failure.getKey(), () -> same(failure.getValue())));
  }

  private static void same(Agent<?> agent) {
    var run = thrown(() -> agent.run("Go.", RunOptions.defaults()));
    var fresh =
        thrown(() -> {
          try (var stream = agent.stream("Go.", RunOptions.defaults())) {
            stream.result();
          }
        });
    assertThat(fresh).hasSameClassAs(run).hasMessage(run.getMessage());
    assertThat(String.valueOf(fresh.getCause())).isEqualTo(String.valueOf(run.getCause()));
  }

  private static Throwable thrown(ThrowingCallable call) {
    return Objects.requireNonNull(org.assertj.core.api.Assertions.catchThrowable(call));
  }

  @Test
  void a_resumption_that_fails_throws_the_same_with_and_without_a_stream() throws Exception {
    var store = new InMemoryCheckpointer();
    var agent = Agent.named("a").model(paying()).tools(PAY).modelCalls(1).build();
    for (var thread : List.of("plain", "streamed")) {
      var options = RunOptions.thread(thread).checkpoints(store);
      assertThatThrownBy(() -> agent.run("Go.", options)).isInstanceOf(LimitReached.class);
    }
    var plain = RunOptions.thread("plain").checkpoints(store);
    var streamed = RunOptions.thread("streamed").checkpoints(store);
    var run = thrown(() -> agent.resume(Answers.none(), plain));
    var stream = thrown(() -> agent.streamResume(Answers.none(), streamed).result());
    assertThat(run).isInstanceOf(LimitReached.class);
    assertThat(stream).hasSameClassAs(run).hasMessage(run.getMessage());
  }

  @Test
  void a_thread_that_is_unknown_is_told_in_the_same_way() {
    var agent = Agent.named("a").model(paying()).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var run = thrown(() -> agent.resume(Answers.none(), options));
    var stream = thrown(() -> agent.streamResume(Answers.none(), options).result());
    assertThat(stream).hasSameClassAs(run).hasMessage(run.getMessage());
  }

  @Test
  void a_resumption_is_streamed_with_the_text_and_the_answer() throws InterruptedException {
    var agent =
        Agent.named("a").model(paying()).tools(PAY).gate(ToolGate.open().confirming("pay")).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    try (var first = agent.stream("Go.", options)) {
      assertThat(first.result()).isInstanceOf(AgentResult.Waiting.class);
    }
    var yes = new Review.Decisions(List.of(new Review.Decision.Approve()));
    var said = new StringBuilder();
    try (var second = agent.streamResume(Answers.to(Review.QUESTION, yes), options)) {
      for (var event : second.only(EventFilter.kinds(Kind.MESSAGES))) {
        if (event instanceof Event.TextArrived text) said.append(text.piece().text());
      }
      assertThat(second.result().answer()).isEqualTo("Done.");
    }
    assertThat(said).hasToString("Done.");
  }

  @Test
  void a_partial_result_is_the_same_with_and_without_a_stream() throws InterruptedException {
    var agent =
        Agent.named("a")
            .model(paying())
            .tools(PAY)
            .modelCalls(1)
            .onLimit(dev.superstep.agent.run.OnLimit.RETURN_PARTIAL)
            .build();
    try (var stream = agent.stream("Go.", RunOptions.defaults())) {
      var partial = stream.result();
      assertThat(partial.report().reason()).isEqualTo(StopReason.MODEL_CALL_LIMIT);
      assertThat(partial).hasSameClassAs(agent.run("Go."));
    }
  }

  @Test
  void failures_of_the_engine_and_of_budgets_keep_their_types() {
    var all = failures();
    assertThat(thrown(() -> Objects.requireNonNull(all.get("a budget")).run("Go.")))
        .isInstanceOf(BudgetExceeded.class);
    assertThat(thrown(() -> Objects.requireNonNull(all.get("an error of the program")).run("Go.")))
        .isInstanceOf(NodeFailed.class);
    assertThat(
            thrown(() -> Objects.requireNonNull(all.get("an approval without a store")).run("Go.")))
        .isInstanceOf(ApprovalNeedsStore.class);
  }
}
