package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Limits of an agent that hold for the agents and graphs that it calls.
@Timeout(60)
@Tag("T39")
class CallLimitsTest {
  record Nothing() {}

  private static final Channel<String, String> SAID = Channel.latest("said", String.class);

  private interface Body {
    String run() throws Exception;
  }

  /// A graph with one node, as a tool.
  private record Inside(Graph graph) implements ToolGraph {
    static Tool tool(String name, Body body) {
      var graph =
          Graph.named(name)
              .channels(SAID)
              .node("work", (_, _) -> Update.of(SAID, body.run()))
              .edge(Graph.START, "work")
              .edge("work", Graph.END)
              .compile();
      return Tool.of(name, "Works.", Nothing.class, new Inside(graph));
    }

    @Override
    public ToolGraph within(ToolGate gate) {
      return this;
    }

    @Override
    public Input input(Json arguments) {
      return Input.none();
    }

    @Override
    public ToolResult result(State end) {
      return ToolResult.of(end.get(SAID));
    }
  }

  private static ScriptedModel calling(List<String> tools) {
    var calls = new ToolCall[tools.size()];
    for (int i = 0; i < calls.length; i++) {
      var task = tools.get(i).startsWith("helper") ? "{\"task\":\"x\"}" : "{}";
      calls[i] = new ToolCall("c" + i, tools.get(i), task);
    }
    return ScriptedModel.by(request ->
        request.messages().size() == 1 ? ScriptedModel.calls(calls) : ScriptedModel.text("Done."));
  }

  /// Counts how many are inside at once.
  private static final class Crowd {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CyclicBarrier all;

    /// @param all how many must be inside at once before one leaves
    Crowd(int all) {
      this.all = new CyclicBarrier(all);
    }

    String enter() throws Exception {
      int now = inside.incrementAndGet();
      most.accumulateAndGet(now, Math::max);
      all.await(20, TimeUnit.SECONDS);
      inside.decrementAndGet();
      return "in";
    }

    ChatReply reply() {
      try {
        return ScriptedModel.text(enter());
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6})
  @Tag("T37")
  void agents_graphs_and_tools_share_the_limit_of_calls_at_once(int most) throws Exception {
    // Each leaves only with others: fewer at once would never end, and more would be seen.
    var crowd = new Crowd(most);
    var helper = Agent.named("helper").model(ScriptedModel.by(_ -> crowd.reply())).build();
    var tool = Tool.of("plain", "Works.", Nothing.class, (_, _) -> crowd.enter());
    var graph = Inside.tool("graph", crowd::enter);
    var agent =
        Agent.named("boss")
            .model(calling(List.of("plain", "helper", "graph", "graph", "helper", "plain")))
            .tools(tool, graph)
            .agent(helper, "Helps.")
            .concurrency(most)
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
    assertThat(crowd.most).hasValue(most);
    assertThat(crowd.inside).hasValue(0);
  }

  @Test
  void a_tool_timeout_interrupts_a_graph_and_the_model_gets_an_error() throws Exception {
    var interrupted = new CountDownLatch(1);
    var slow =
        Inside.tool(
            "slow",
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
              return "never";
            });
    var quick = Inside.tool("quick", () -> "in time");
    var agent =
        Agent.named("boss")
            .model(calling(List.of("slow", "quick")))
            .tools(slow, quick)
            .toolTimeout(Duration.ofMillis(100))
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var result = agent.run("Go.", options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .contains("The tool did not finish within 100 ms.", "in time");
  }

  @Test
  void the_time_of_a_tool_itself_binds_its_graph() throws Exception {
    var slow =
        Inside.tool(
                "slow",
                () -> {
                  new CountDownLatch(1).await();
                  return "never";
                })
            .withTimeout(Duration.ofMillis(50));
    var agent = Agent.named("boss").model(calling(List.of("slow"))).tools(slow).build();
    assertThat(agent.run("Go.").report().conversation())
        .extracting(Message::text)
        .contains("The tool did not finish within 50 ms.");
  }

  /// A time that passes where an agent's model works.
  private static final class Time {
    private final java.util.concurrent.atomic.AtomicReference<java.time.Instant> now =
        new java.util.concurrent.atomic.AtomicReference<>(java.time.Instant.EPOCH);

    ScriptedModel slow(Duration each, List<Duration> limits) {
      return ScriptedModel.by(request -> {
        limits.add(request.timeout());
        now.updateAndGet(at -> at.plus(each));
        return ScriptedModel.calls(new ToolCall("w", "work", "{}"));
      });
    }

    RunOptions options() {
      return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).clock(now::get);
    }
  }

  private static final Tool WORK = Tool.of("work", "Works.", Nothing.class, (_, _) -> "worked");

  @Test
  void a_tool_timeout_ends_an_agent_that_is_called_and_what_it_spent_counts() throws Exception {
    var time = new Time();
    var limits = new ArrayList<Duration>();
    var slow = time.slow(Duration.ofSeconds(40), limits);
    var helper = Agent.named("helper").model(slow).tools(WORK).build();
    var agent =
        Agent.named("boss")
            .model(calling(List.of("helper")))
            .agent(helper, "Helps.")
            .toolTimeout(Duration.ofSeconds(100))
            .build();
    var result = agent.run("Go.", time.options());
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(limits)
        .containsExactly(Duration.ofSeconds(100), Duration.ofSeconds(60), Duration.ofSeconds(20));
    assertThat(result.report().conversation())
        .extracting(Message::text)
        .anySatisfy(text -> assertThat(text).contains("Agent `helper` reached its time limit"));
    assertThat(result.report().spent().calls()).isEqualTo(5);
  }

  @Test
  void an_agent_that_is_called_ends_with_the_time_of_its_callers() {
    var time = new Time();
    var limits = new ArrayList<Duration>();
    var slow = time.slow(Duration.ofSeconds(40), limits);
    var helper = Agent.named("helper").model(slow).tools(WORK).build();
    var middle =
        Agent.named("helper middle")
            .model(calling(List.of("helper")))
            .agent(helper, "Helps.")
            .timeout(Duration.ofHours(1))
            .build();
    var agent =
        Agent.named("boss")
            .model(calling(List.of("helper_middle")))
            .agent(middle, "Helps.")
            .timeout(Duration.ofSeconds(70))
            .build();
    assertThatThrownBy(() -> agent.run("Go.", time.options()))
        .isInstanceOfSatisfying(
            LimitReached.class, e -> assertThat(e.reason()).isEqualTo(StopReason.TIME_LIMIT));
    assertThat(limits).containsExactly(Duration.ofSeconds(70), Duration.ofSeconds(30));
  }

  @Test
  void an_agent_that_is_called_has_no_limit_of_time_unless_one_is_set() throws Exception {
    var limits = new ArrayList<Duration>();
    var model =
        ScriptedModel.by(request -> {
          limits.add(request.timeout());
          return ScriptedModel.text("ok");
        });
    var helper = Agent.named("helper").model(model).build();
    var agent = Agent.named("boss").model(calling(List.of("helper"))).agent(helper, "Helps.");
    assertThat(agent.build().run("Go.").answer()).isEqualTo("Done.");
    assertThat(limits).containsExactly(Duration.ofMinutes(5));
  }

  @Test
  void a_cancel_of_the_run_is_no_timeout_of_a_graph() throws Exception {
    var began = new CountDownLatch(1);
    var slow =
        Inside.tool(
            "slow",
            () -> {
              began.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    var model = calling(List.of("slow"));
    var agent =
        Agent.named("boss").model(model).tools(slow).toolTimeout(Duration.ofHours(1)).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    try (var run = agent.stream("Go.", options)) {
      began.await();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(model.calls()).isEqualTo(1);
  }

  @Test
  void a_budget_holds_while_calls_wait_for_their_turn() throws Exception {
    var helper =
        Agent.named("helper").model(ScriptedModel.by(_ -> ScriptedModel.text("ok"))).build();
    var agent =
        Agent.named("boss")
            .model(calling(List.of("helper", "helper", "helper")))
            .agent(helper, "Helps.")
            .concurrency(1)
            .budget(Budget.unlimited().calls(4))
            .build();
    assertThatThrownBy(() -> agent.run("Go."))
        .isInstanceOf(dev.superstep.budget.BudgetExceeded.class);
  }
}
