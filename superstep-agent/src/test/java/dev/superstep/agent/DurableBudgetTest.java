package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Fallback;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A budget that holds over resumptions, crashes, forks and agents inside.
@Tag("T53")
class DurableBudgetTest {
  private static final int RESUMPTIONS = 20;

  record None() {}

  record About(String about) {}

  private static final Tool LOOK = Tool.of("look", "Looks.", None.class, (_, _) -> "seen");

  /// Counts the calls that reach it. Safe for many threads.
  private static final class CountingModel implements ChatModel {
    private final AtomicInteger calls = new AtomicInteger();
    private final IntFunction<ChatReply> script;

    CountingModel(IntFunction<ChatReply> script) {
      this.script = script;
    }

    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "counting");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      return script.apply(calls.incrementAndGet());
    }
  }

  private static ChatReply fails(ModelException.Kind kind) {
    throw new ModelException(kind, "It failed.");
  }

  private static ChatReply calls(String tool, String id, String arguments) {
    return ScriptedModel.calls(new ToolCall(id, tool, arguments));
  }

  private static RunOptions on(InMemoryCheckpointer store) {
    return RunOptions.thread("t").checkpoints(store);
  }

  /// Runs, and resumes as often as it fails, each time as another process would.
  private static int tried(Agent<String> agent, RunOptions options) throws Exception {
    int failures = 0;
    for (int i = 0; i <= RESUMPTIONS; i++) {
      try {
        if (i == 0) agent.run("Go.", options);
        else agent.resume(Answers.none(), options);
        return failures;
      } catch (SuperstepException _) {
        failures++;
      }
    }
    return failures;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void failed_attempts_count_across_twenty_resumptions(Durability durability) throws Exception {
    var model = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var agent = Agent.named("a").model(model).budget(Budget.unlimited().calls(5)).build();
    var options = on(new InMemoryCheckpointer()).durability(durability);
    assertThat(tried(agent, options)).isEqualTo(RESUMPTIONS + 1);
    assertThat(model.calls.get()).isEqualTo(5);
    assertThatThrownBy(() -> agent.resume(Answers.none(), options))
        .isInstanceOf(BudgetExceeded.class)
        .hasMessageContaining("allows 5 calls; 5 are used");
  }

  @Test
  void tokens_of_failed_attempts_count_across_resumptions() throws Exception {
    var model = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var agent =
        Agent.named("a")
            .model(model)
            .request(r -> r.withMaxTokens(90))
            .budget(Budget.unlimited().outputTokens(300))
            .build();
    tried(agent, on(new InMemoryCheckpointer()));
    // The fourth is held to the 30 that are left.
    assertThat(model.calls.get()).isEqualTo(4);
  }

  @Test
  void attempts_of_retries_and_fallbacks_count_across_resumptions() throws Exception {
    var model = new CountingModel(_ -> fails(ModelException.Kind.OVERLOADED));
    var other = new CountingModel(_ -> fails(ModelException.Kind.OVERLOADED));
    var agent =
        Agent.named("a")
            .model(model)
            .middleware(Fallback.to(other), Retrying.times(3))
            .budget(Budget.unlimited().calls(14))
            .build();
    tried(agent, on(new InMemoryCheckpointer()).sleeper(_ -> {}));
    assertThat(model.calls.get() + other.calls.get()).isEqualTo(14);
  }

  @Test
  void reported_spending_includes_attempts_that_failed_before_a_resumption() throws Exception {
    var model =
        new CountingModel(
            call -> call < 4 ? fails(ModelException.Kind.OVERLOADED) : ScriptedModel.text("Done."));
    var agent = Agent.named("a").model(model).middleware(Retrying.times(1)).build();
    var options = on(new InMemoryCheckpointer());
    assertThatThrownBy(() -> agent.run("Go.", options)).isInstanceOf(ModelException.class);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> agent.resume(Answers.none(), options))
          .isInstanceOf(ModelException.class);
    }
    var result = (AgentResult.Answered<String>) agent.resume(Answers.none(), options);
    assertThat(result.report().spent().calls()).isEqualTo(4);
    assertThat(result.report().spent().usage().input()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"SYNC", "ASYNC"})
  void a_process_that_dies_in_a_call_has_spent_what_it_reserved(Durability durability)
      throws Exception {
    var store = new InMemoryCheckpointer();
    // As the thread is while the call is under way.
    var model =
        new CountingModel(call -> {
          var lease = store.acquire("dead " + call, "other", Duration.ofMinutes(1));
          assertThat(store.copy(lease, "t")).isTrue();
          store.release(lease);
          return call == 1 ? calls("look", "c1", "{}") : ScriptedModel.text("Done.");
        });
    var budget = Budget.unlimited().calls(2);
    var agent = Agent.named("a").model(model).tools(LOOK).budget(budget).build();
    assertThat(agent.run("Go.", on(store).durability(durability)).answer()).isEqualTo("Done.");
    // The first call was reserved: one is left. The second, too: none is left.
    var first = RunOptions.thread("dead 1").checkpoints(store);
    var again = new CountingModel(_ -> calls("look", "c2", "{}"));
    var same = Agent.named("a").model(again).tools(LOOK).budget(budget).build();
    assertThatThrownBy(() -> same.resume(Answers.none(), first)).isInstanceOf(BudgetExceeded.class);
    assertThat(again.calls.get()).isEqualTo(1);
    var second = RunOptions.thread("dead 2").checkpoints(store);
    assertThatThrownBy(() -> same.resume(Answers.none(), second))
        .isInstanceOf(BudgetExceeded.class);
    assertThat(again.calls.get()).isEqualTo(1);
  }

  @Test
  void parallel_agents_see_each_others_spending_from_before_a_resumption() throws Exception {
    // One helper is done at once, two fail for ever: what the first took must not be forgotten.
    var quick = new CountingModel(_ -> ScriptedModel.text("Quick."));
    var left = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var right = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var boss =
        new CountingModel(_ ->
            ScriptedModel.calls(
                new ToolCall("1", "quick", "{\"task\":\"a\"}"),
                new ToolCall("2", "left", "{\"task\":\"b\"}"),
                new ToolCall("3", "right", "{\"task\":\"c\"}")));
    // They fail their caller's run, not just their own.
    var agent =
        Agent.named("boss")
            .model(boss)
            .budget(Budget.unlimited().calls(9))
            .agent(Agent.named("quick").model(quick).build(), "Is quick.")
            .agent(failing("left", left), "Fails.")
            .agent(failing("right", right), "Fails.")
            .build();
    tried(agent, on(new InMemoryCheckpointer()));
    int all = boss.calls.get() + quick.calls.get() + left.calls.get() + right.calls.get();
    assertThat(quick.calls.get()).isEqualTo(1);
    assertThat(all).isEqualTo(9);
  }

  /// An agent whose failures are not told to its caller's model.
  private static Agent<String> failing(String name, CountingModel model) {
    return Agent.named(name)
        .model(
            new ChatModel() {
              @Override
              public ModelRef ref() {
                return model.ref();
              }

              @Override
              public ChatReply call(ChatRequest request) {
                try {
                  return model.call(request);
                } catch (ModelException e) {
                  throw new IllegalStateException(e);
                }
              }
            })
        .build();
  }

  @Test
  void failed_spending_of_an_agent_counts_for_its_caller() throws Exception {
    var helper = new CountingModel(_ -> fails(ModelException.Kind.OVERLOADED));
    var boss =
        new CountingModel(call ->
            call == 1 ? calls("helper", "1", "{\"task\":\"x\"}") : ScriptedModel.text("Done."));
    var agent =
        Agent.named("boss")
            .model(boss)
            .agent(
                Agent.named("helper")
                    .model(helper)
                    .middleware(Retrying.times(3))
                    .budget(Budget.unlimited().calls(10))
                    .build(),
                "Helps.")
            .build();
    var options = on(new InMemoryCheckpointer()).sleeper(_ -> {});
    var result = (AgentResult.Answered<String>) agent.run("Go.", options);
    assertThat(result.report().spent().calls()).isEqualTo(5);
  }

  @Test
  void agents_in_a_tool_graph_spend_from_the_budget_of_the_calling_agent() throws Exception {
    var inner = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var helper = failing("helper", inner);
    var answer = Channel.latest("answer", String.class);
    var task = Channel.latest("task", String.class);
    var graph =
        Graph.named("research")
            .channels(task, answer)
            .node(
                "ask",
                helper.asking(s -> s.get(task), a -> dev.superstep.node.Update.of(answer, a)))
            .edge(Graph.START, "ask")
            .edge("ask", Graph.END)
            .compile();
    var inside =
        new ToolGraph() {
          @Override
          public ToolGraph within(ToolGate gate) {
            return this;
          }

          @Override
          public Graph graph() {
            return graph;
          }

          @Override
          public Input input(Json arguments) {
            return Input.of(task, arguments.as(About.class).about());
          }

          @Override
          public ToolResult result(State end) {
            return ToolResult.of(end.get(answer));
          }
        };
    var tool = Tool.of("research", "Finds out.", About.class, inside);
    var boss = new CountingModel(_ -> calls("research", "1", "{\"about\":\"x\"}"));
    var agent =
        Agent.named("boss").model(boss).tools(tool).budget(Budget.unlimited().calls(5)).build();
    tried(agent, on(new InMemoryCheckpointer()));
    assertThat(boss.calls.get() + inner.calls.get()).isEqualTo(5);
  }

  @Test
  void an_agent_that_is_given_as_a_tool_spends_from_the_budget_of_its_caller() throws Exception {
    var inner = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var boss = new CountingModel(_ -> calls("helper", "1", "{\"task\":\"x\"}"));
    var agent =
        Agent.named("boss")
            .model(boss)
            .tools(failing("helper", inner).asTool("Helps."))
            .budget(Budget.unlimited().calls(5))
            .build();
    tried(agent, on(new InMemoryCheckpointer()));
    assertThat(boss.calls.get() + inner.calls.get()).isEqualTo(5);
  }

  @Test
  void false_usage_does_not_lengthen_a_run() throws Exception {
    var lie = new Usage(-10_000, 0, -10_000, 0);
    var model =
        new CountingModel(call -> {
          var said = calls("look", "c" + call, "{}");
          return new ChatReply(
              said.message(), lie, said.finish(), said.model(), ChatReply.Source.LIVE);
        });
    var agent =
        Agent.named("a")
            .model(model)
            .tools(LOOK)
            .modelCalls(1_000)
            .request(r -> r.withMaxTokens(100))
            .budget(Budget.unlimited().outputTokens(600))
            .build();
    assertThatThrownBy(() -> agent.run("Go.")).isInstanceOf(BudgetExceeded.class);
    assertThat(model.calls.get()).isEqualTo(6);
  }

  @Test
  void a_fork_and_a_rewind_have_the_spending_of_their_checkpoint() throws Exception {
    var model =
        new CountingModel(
            call -> call == 1 ? calls("look", "c1", "{}") : fails(ModelException.Kind.TIMEOUT));
    var agent =
        Agent.named("a").model(model).tools(LOOK).budget(Budget.unlimited().calls(4)).build();
    var store = new InMemoryCheckpointer();
    var options = on(store);
    tried(agent, options);
    assertThat(model.calls.get()).isEqualTo(4);
    var newest = store.latest(dev.superstep.checkpoint.Lineage.of("t")).orElseThrow();
    var threads = Threads.in(store);
    threads.fork("t", newest.checkpoint().id(), "fork");
    var fork = RunOptions.thread("fork").checkpoints(store);
    for (int i = 0; i < RESUMPTIONS; i++) {
      assertThatThrownBy(() -> agent.resume(Answers.none(), fork))
          .isInstanceOf(SuperstepException.class);
    }
    // One call was over when the checkpoint was made; three that failed came after it.
    assertThat(model.calls.get()).isEqualTo(4 + 3);
    threads.rewind("t", newest.checkpoint().id());
    for (int i = 0; i < RESUMPTIONS; i++) {
      assertThatThrownBy(() -> agent.resume(Answers.none(), options))
          .isInstanceOf(SuperstepException.class);
    }
    assertThat(model.calls.get()).isEqualTo(4 + 3 + 3);
  }

  @Test
  void a_model_call_outside_of_a_turn_counts_across_resumptions() throws Exception {
    var aside = new CountingModel(_ -> fails(ModelException.Kind.TIMEOUT));
    var middleware =
        new Middleware() {
          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context)
              throws Exception {
            var question = ChatRequest.of(Message.user("What now?"));
            context.durable(aside, "aside").call(question);
            return request;
          }
        };
    var agent =
        Agent.named("a")
            .model(new CountingModel(_ -> ScriptedModel.text("Done.")))
            .middleware(middleware)
            .budget(Budget.unlimited().calls(5))
            .build();
    tried(agent, on(new InMemoryCheckpointer()));
    assertThat(aside.calls.get()).isEqualTo(5);
  }
}
