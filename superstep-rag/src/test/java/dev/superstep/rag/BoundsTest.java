package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.bounds.Bound;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import dev.superstep.tool.Tool;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The most that a run can take, told before it begins.
class BoundsTest {
  private final Bench bench = new Bench();
  private final ScriptedModel model = ScriptedModel.by(_ -> ScriptedModel.text("ok"));

  BoundsTest() {
    bench.model("m", new Sized(model)).steps("f").router("r", _ -> "again");
  }

  /// A model with a window of 1,000 tokens and answers of at most 100.
  private record Sized(ChatModel model) implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ModelProfile profile() {
      return ModelProfile.of().within(1_000, 100);
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }
  }

  private static String line(String nodes) {
    return "graph g { start a " + nodes + " }";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node a { model \"m\" prompt \"?\" }|1",
        "node a { model \"m\" prompt \"?\" retry { max_attempts 3 } }|3",
        "node a { model \"m\" prompt \"?\" next b } node b { model \"m\" prompt \"?\" }|2",
        "node a { kind function function \"f\" next [b, c] } node b { model \"m\" prompt \"?\" next"
            + " d } node c { model \"m\" prompt \"?\" next d } node d { model \"m\" prompt \"?\""
            + " }|3",
        "defaults { recursion_limit 7 } node a { model \"m\" prompt \"?\" router \"r\""
            + " routes { again -> a out -> END } }|7",
        "node a { model \"m\" prompt \"?\" visits 4 router \"r\" routes { again -> a out -> END }"
            + " }|4",
        "limits { model_calls 5 } node a { model \"m\" prompt \"?\" router \"r\""
            + " routes { again -> a out -> END } }|5",
        "node a { kind agent model \"m\" prompt \"?\" }|25",
        "node a { kind agent model \"m\" prompt \"?\" limits { model_calls 2 } }|2",
        "node a { kind subagent agent \"helper\" }|6",
        "node a { kind subagent agent \"patient\" }|24",
        "node a { kind function function \"f\" }|0"
      })
  void the_calls_of_models_are_counted_along_all_paths(String nodes, String calls) {
    var helper = Agent.named("helper").model(model).modelCalls(6);
    var once = helper.copy().middleware(Retrying.times(1));
    bench.registry.register(Component.of(Kind.AGENT, "helper", once.build()));
    bench.registry.register(Component.of(Kind.AGENT, "patient", helper.build()));
    var bounds = bench.graph(line(nodes)).bounds();
    assertThat(bounds.of(Measure.MODEL_CALLS)).isEqualTo(new Bound.AtMost(new BigDecimal(calls)));
  }

  @Test
  void tokens_and_money_follow_from_the_window_and_the_price_of_the_model() {
    Prices prices =
        (_, usage) ->
            Optional.of(new BigDecimal(usage.input() + 10 * usage.output()).movePointLeft(3));
    bench.registry.register(Component.of(RagKind.PRICES, "usd", prices));
    var bounds =
        bench.graph(line("node a { model \"m\" prompt \"?\" retry { max_attempts 2 } }")).bounds();
    assertThat(bounds.of(Measure.TOKENS)).isEqualTo(Bound.of(2_000));
    // A full window for 1.000, and an answer of 100 tokens for 1.000; twice.
    assertThat(bounds.of(Measure.COST)).isEqualTo(new Bound.AtMost(new BigDecimal("4.000")));
  }

  @Test
  void a_graph_inside_counts_as_often_as_its_node_runs() {
    var text =
        """
        graph inner { start x node x { model "m" prompt "?" next y } node y { kind agent model "m" prompt "?" limits { model_calls 3 } } }
        graph g {
          start a
          defaults { recursion_limit 5 }
          node a { kind subgraph graph "inner" router "r" routes { again -> a out -> END } }
        }
        """;
    var bounds = bench.program(text).graph("g").orElseThrow().bounds();
    assertThat(bounds.of(Measure.MODEL_CALLS)).isEqualTo(Bound.of(20));
    assertThat(bounds.of(Measure.DEPTH)).isEqualTo(Bound.of(1));
    assertThat(bounds.of(Measure.TASKS)).isEqualTo(Bound.of(15));
  }

  @Test
  void what_has_no_bound_says_because_of_which_item() {
    bench.mapping("all", _ -> List.of("x"));
    bench.registry.register(
        Component.of(Kind.TOOL, "t", Tool.of("t", "Does.", Nothing.class, (_, _) -> "x")));
    var text =
        """
        graph g {
          channel messages messages
          start a
          node a { kind function function "f" sends [send b "all"] }
          node b { model "m" prompt "?" argument text next c }
          node c { kind tool_executor tools ["t"] }
        }
        """;
    var program = bench.program(text);
    var bounds = program.graph().bounds();
    assertThat(bounds.text(program.source()))
        .isEqualTo(
            """
            a run of g takes at most
              model calls: unbounded
                desk.rag:4:45: node `b` runs once for each argument that it is sent
              tool calls: unbounded
                desk.rag:6:8: node `c` makes as many calls as its model asks for
              tokens: unbounded
                desk.rag:4:45: node `b` runs once for each argument that it is sent
              US dollars: unbounded
                desk.rag:4:45: node `b` runs once for each argument that it is sent
                desk.rag:5:18: the cost of model `m` is not known
              agents inside each other: 0
              tasks: unbounded
                desk.rag:4:45: node `b` runs once for each argument that it is sent
            """);
    assertThat(bounds.json(program.source()))
        .contains("\"depth\": 0", "\"line\": 6", "makes as many calls as its model asks for");
  }

  record Nothing() {}

  private static final String LOOP =
      "graph g { start a %s node a { model \"m\" prompt \"?\" router \"r\" routes { again -> a out"
          + " -> END } } }";

  @Test
  void a_run_that_may_pass_its_budget_is_refused_before_anything_runs() throws Exception {
    var graph = bench.graph(LOOP.formatted(""));
    assertThatThrownBy(() -> graph.within(Limits.none().and(Measure.MODEL_CALLS, 10)))
        .isInstanceOf(MayPassBudget.class)
        .hasMessageContaining("it can take 50 model calls, and may take 10");
    assertThat(model.calls()).isZero();
    var limited = bench.graph(LOOP.formatted("limits { model_calls 10 }"));
    assertThatThrownBy(() ->
            Bench.run(
                limited.within(Limits.none().and(Measure.MODEL_CALLS, 10)),
                Map.of(),
                RunOptions.defaults()))
        .isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).isEqualTo(10);
  }

  @Test
  void a_run_within_limits_counts_over_resumptions() throws Exception {
    var graph =
        bench
            .graph(LOOP.formatted("defaults { recursion_limit 6 }"))
            .within(Limits.none().and(Measure.MODEL_CALLS, 8));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options)).isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).isEqualTo(6);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> graph.resume(Answers.none(), options))
          .isInstanceOf(RagRunFailed.class);
    }
    assertThat(model.calls()).isEqualTo(8);
  }

  @Test
  void tasks_of_one_superstep_that_finished_before_a_failure_count_when_it_is_tried_again() {
    var fails = new AtomicInteger(2);
    bench.mapping("five", _ -> List.of("1", "2", "3", "4", "5"));
    bench.function(
        "flaky",
        (_, _) -> {
          if (fails.getAndDecrement() > 0) throw new IllegalStateException("not yet");
          return Update.of(Bench.TRACE, "x");
        });
    var text =
        """
        graph g {
          limits { model_calls 7 }
          channel trace append of text
          start s
          node s { kind function function "f" sends [send b "five"] next c }
          node b { model "m" prompt "?" argument text next d }
          node c { kind function function "flaky" next d }
          node d { kind function function "f" sends [send e "five"] }
          node e { model "m" prompt "?" argument text }
        }
        """;
    var graph = bench.graph(text);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).concurrency(1);
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options)).isInstanceOf(RagRunFailed.class);
    for (int i = 0; i < 4; i++) {
      try {
        graph.resume(Answers.none(), options);
      } catch (RagRunFailed | InterruptedException _) {
        assertThat(model.calls()).isLessThanOrEqualTo(7);
      }
    }
    assertThat(model.calls()).isEqualTo(7);
  }

  /// A graph of a few nodes, each of which leads to some others by a router, calls a model or not,
  /// and may be tried again.
  private static String generated(Choices c) {
    int nodes = c.between(1, 6);
    var text = new StringBuilder("graph g {\n  start n0\n");
    if (c.chance(60))
      text.append("  defaults { recursion_limit ").append(c.between(1, 9)).append(" }\n");
    if (c.chance(30)) text.append("  limits { model_calls ").append(c.between(1, 9)).append(" }\n");
    for (int i = 0; i < nodes; i++) {
      text.append("  node n").append(i);
      text.append(
          c.of(
              " { model \"m\" prompt \"?\"",
              " { kind function function \"f\"",
              " { kind agent model \"m\" prompt \"?\" limits { model_calls 2 }"));
      if (c.chance(25)) text.append(" retry { max_attempts 3 initial 1ms max 1ms }");
      if (c.chance(20)) text.append(" visits ").append(c.between(1, 3));
      int next = c.below(nodes + 1);
      if (c.chance(30)) text.append(" next [n").append(c.below(nodes)).append("]");
      else if (next < nodes) {
        text.append(" router many \"any\" routes { x -> n").append(next);
        text.append(" y -> n").append(c.below(nodes)).append(" out -> END }");
      }
      text.append(" }\n");
    }
    return text.append("}\n").toString();
  }

  @Test
  void no_generated_graph_takes_more_than_it_was_said_to() throws Exception {
    var counted = new AtomicInteger();
    var flip = new AtomicInteger();
    var flaky =
        ScriptedModel.by(_ -> {
          if (counted.incrementAndGet() % 5 == 0) throw new IllegalStateException("down");
          return ScriptedModel.text("ok");
        });
    bench.registry.replace(Component.of(Kind.MODEL, "m", flaky));
    bench.router("any", _ -> flip.incrementAndGet() % 3 == 0 ? List.of("x", "y") : List.of("x"));
    var ran = new AtomicInteger();
    Property.check(
        19,
        300,
        BoundsTest::generated,
        text -> {
          var program = bench.program(text);
          if (!program.isValid()) return;
          ran.incrementAndGet();
          var graph = program.graph();
          counted.set(0);
          try {
            graph.run(graph.input(Map.of()), RunOptions.defaults());
          } catch (RagRunFailed _) {
            // A limit was met, or the model was down.
          }
          var most = graph.bounds().of(Measure.MODEL_CALLS);
          assertThat(most).isInstanceOf(Bound.AtMost.class);
          assertThat(new BigDecimal(counted.get()))
              .as(text)
              .isLessThanOrEqualTo(((Bound.AtMost) most).amount());
        });
    assertThat(ran.get()).isGreaterThan(60);
  }
}
