package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.node.Update;
import dev.superstep.rag.error.BindingFailed;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.RagError;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.rag.internal.run.SteeringRules;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.store.InMemoryStore;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The options of a run that a text sets: defaults, limits, checkpoints, stores, steering.
class DefaultsTest {
  private final Bench bench = new Bench().steps("a", "b");

  private static String loop(String items) {
    return """
    graph g {
      %s
      channel trace append of text
      start a
      node a { kind function function "a" router "again" routes { again -> a  out -> END } }
    }
    """
        .formatted(items);
  }

  @Test
  @Tag("R25")
  @Tag("W1")
  void the_recursion_limit_ends_a_loop_before_the_limit_of_the_caller() {
    bench.router("again", _ -> "again");
    assertThatThrownBy(() ->
            Bench.run(
                bench.graph(loop("defaults { recursion_limit 3 }")),
                Map.of(),
                RunOptions.defaults().stepLimit(20)))
        .isInstanceOf(RagRunFailed.class)
        .hasCauseInstanceOf(StepLimitReached.class);
    assertThat(bench.ran).hasSize(3);
    bench.ran.clear();
    assertThatThrownBy(
            () -> Bench.run(bench.graph(loop("")), Map.of(), RunOptions.defaults().stepLimit(7)))
        .hasCauseInstanceOf(StepLimitReached.class);
    assertThat(bench.ran).hasSize(7);
  }

  @Test
  void the_total_limit_counts_the_supersteps_of_graphs_inside() {
    bench.router("again", _ -> "again");
    var text =
        """
        graph outer {
          %s
          channel trace append of text
          start i
          node i { kind subgraph graph "g" }
        }
        """;
    var inner = loop("");
    assertThatThrownBy(() -> bench.run(text.formatted("defaults { total_limit 6 }") + inner))
        .isInstanceOf(RagRunFailed.class);
    assertThat(bench.ran.size()).isLessThan(7);
    bench.ran.clear();
    assertThatThrownBy(() -> bench.run(text.formatted("") + inner))
        .isInstanceOf(RagRunFailed.class);
    assertThat(bench.ran.size()).isGreaterThan(40);
  }

  @Test
  void the_recursion_limit_of_a_graph_holds_inside_another() {
    bench.router("again", _ -> "again");
    var outer =
        "graph outer { channel trace append of text start i node i { kind subgraph graph \"g\" } }";
    assertThatThrownBy(() -> bench.run(outer + loop("defaults { recursion_limit 4 }")))
        .isInstanceOf(RagRunFailed.class);
    assertThat(bench.ran).hasSize(4);
    var limited = bench.program(outer + loop("limits { model_calls 3 }"));
    assertThat(limited.text())
        .contains("graph `g` has limits, which hold only where it runs by itself");
  }

  @Test
  @Tag("R33")
  @Tag("W9")
  void a_text_that_a_model_wrote_runs_only_when_its_hash_is_approved() throws Exception {
    bench.router("again", _ -> "out");
    var source = dev.superstep.language.Source.of("made.rag", loop(""));
    var policy = dev.superstep.language.check.CheckPolicy.generated("writer");
    var refused = Rag.compile(source, bench.registry, policy);
    assertThat(refused.isValid()).isFalse();
    assertThat(refused.text()).contains("E-rag-review-required");
    assertThat(refused.graph("g")).isEmpty();
    var hash = refused.blueprints().getFirst().hash();
    var approved = Rag.compile(source, bench.registry, policy.approving(java.util.Set.of(hash)));
    assertThat(Bench.run(approved.graph(), Map.of(), RunOptions.defaults()).get(Bench.TRACE))
        .containsExactly("a");
    var other = dev.superstep.language.Source.of("made.rag", loop("metadata { x 1 }"));
    assertThat(
            Rag.compile(other, bench.registry, policy.approving(java.util.Set.of(hash))).isValid())
        .isFalse();
  }

  @Test
  @Tag("R31")
  void a_blueprint_that_was_stored_is_bound_again_by_its_names() throws Exception {
    bench.router("again", _ -> "out");
    var stored = bench.graph(loop("")).blueprint().json();
    var blueprint = dev.superstep.language.blueprint.Blueprint.parse(stored);
    var graph = Rag.bind(blueprint, bench.registry);
    assertThat(Bench.run(graph, Map.of(), RunOptions.defaults()).get(Bench.TRACE))
        .containsExactly("a");
    assertThatThrownBy(() -> Rag.bind(blueprint, dev.superstep.registry.Registry.named("empty")))
        .isInstanceOf(BindingFailed.class)
        .hasMessageContaining("graph `g` cannot run")
        .hasMessageNotContaining("dev.superstep");
  }

  @Test
  @Tag("R25")
  void the_timeout_of_the_defaults_is_the_deadline_of_the_run() throws Exception {
    var never = new CountDownLatch(1);
    bench.function(
        "slow",
        (_, _) -> {
          never.await();
          return Update.of(Bench.TRACE, "slow");
        });
    var text =
        "graph g { %s channel trace append start s node s { kind function function \"slow\" } }";
    var graph = bench.graph(text.formatted("defaults { timeout 30ms }"));
    var store = new InMemoryCheckpointer();
    var outcome = graph.run(graph.input(Map.of()), RunOptions.thread("t").checkpoints(store));
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
    never.countDown();
    assertThat(bench.value(text.formatted(""), "trace")).isEqualTo(List.of("slow"));
  }

  @Test
  @Tag("R25")
  void the_concurrency_of_the_defaults_limits_a_superstep() throws Exception {
    var now = new AtomicInteger();
    var highest = new AtomicInteger();
    for (var name : List.of("x", "y", "z")) {
      bench.function(
          name,
          (_, _) -> {
            highest.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
            return Update.of(Bench.TRACE, name);
          });
    }
    bench.run(
        """
        graph g {
          defaults { concurrency 1 }
          channel trace append
          start [x, y, z]
          node x { kind function function "x" }
          node y { kind function function "y" }
          node z { kind function function "z" }
        }
        """);
    assertThat(highest).hasValue(1);
  }

  @Test
  @Tag("R25")
  void streaming_disabled_publishes_no_pieces_of_replies() throws Exception {
    var pieces = new CopyOnWriteArrayList<Event>();
    var options =
        RunOptions.defaults()
            .listener(event -> {
              if (event instanceof Event.TextArrived) pieces.add(event);
            });
    var text =
        "graph g { %s start a node a { model \"m\" prompt \"?\" next w } node w { kind agent model"
            + " \"m\" prompt \"?\" } }";
    bench.model("m", ScriptedModel.by(_ -> ScriptedModel.text("hello")));
    Bench.run(bench.graph(text.formatted("defaults { streaming disabled }")), Map.of(), options);
    assertThat(pieces).isEmpty();
    Bench.run(bench.graph(text.formatted("")), Map.of(), options);
    assertThat(pieces).hasSizeGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @Tag("R25")
  @CsvSource({"sync, 3", "async, 3", "exit, 1"})
  void the_durability_says_when_results_are_saved(String durability, int checkpoints)
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph =
        bench.graph(
            """
            graph g {
              defaults { durability %s }
              channel trace append of text
              start a  a -> b
              node a { kind function function "a" }
              node b { kind function function "b" }
            }
            """
                .formatted(durability));
    Bench.run(graph, Map.of(), options);
    assertThat(graph.graph().history(java.util.Optional.empty(), 10, options)).hasSize(checkpoints);
  }

  @ParameterizedTest
  @Tag("R25")
  @Tag("W1")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "checkpoint disabled | 0",
        "defaults { checkpoint disabled } | 0",
        "defaults { checkpoint disabled } checkpoint enabled | 1",
        "checkpoint enabled | 1",
        "checkpoint inherit | 1",
        "'' | 1",
      })
  void checkpoint_disabled_saves_nothing(String items, int saved) throws Exception {
    bench.router("again", _ -> "out");
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var graph = bench.graph(loop(items));
    Bench.run(graph, Map.of(), options);
    assertThat(graph.graph().state(options).isPresent()).isEqualTo(saved == 1);
  }

  @ParameterizedTest
  @Tag("W1")
  @ValueSource(
      strings = {"checkpoint enabled", "defaults { checkpoint enabled }", "interrupt enabled"})
  void what_needs_a_stored_thread_is_refused_without_one(String items) throws Exception {
    bench.router("again", _ -> "out");
    assertThatThrownBy(() -> bench.run(loop(items)))
        .isInstanceOf(RagError.class)
        .hasMessageContaining("runs on a stored thread only");
    bench.run(loop(""));
    assertThat(bench.ran).hasSize(1);
  }

  @Test
  void a_subgraph_without_checkpoints_runs_again_from_its_start() throws Exception {
    var fails = new AtomicInteger(1);
    bench.function(
        "once",
        (_, _) -> {
          if (fails.getAndDecrement() > 0) throw new java.io.IOException("down");
          return Update.of(Bench.TRACE, "once");
        });
    var text =
        """
        graph outer {
          channel trace append of text
          start i
          node i { kind subgraph graph "inner" %s }
        }
        graph inner {
          channel trace append of text
          start a  a -> o
          node a { kind function function "a" }
          node o { kind function function "once" }
        }
        """;
    for (var item : List.of("", "checkpoint disabled")) {
      fails.set(1);
      bench.ran.clear();
      var options = RunOptions.thread("t" + item.length()).checkpoints(new InMemoryCheckpointer());
      var graph = bench.graph(text.formatted(item));
      assertThatThrownBy(() -> Bench.run(graph, Map.of(), options))
          .hasMessageContaining("node `i` failed in step 1: inside, node `o` failed: down");
      Bench.end(graph.resume(Answers.none(), options));
      assertThat(bench.ran).hasSize(item.isEmpty() ? 1 : 2);
    }
  }

  @Test
  void a_store_of_the_text_is_given_to_the_nodes() throws Exception {
    var store = InMemoryStore.open();
    bench.registry.register(Component.of(Kind.STORE, "main", store));
    bench.function("use", (_, c) -> Update.of(Bench.TRACE, "" + (c.store() == store)));
    var text =
        "graph g { %s channel trace append start u node u { kind function function \"use\" } }";
    assertThat(bench.value(text.formatted("store \"main\""), "trace")).isEqualTo(List.of("true"));
    assertThatThrownBy(() -> bench.run(text.formatted(""))).isInstanceOf(RagRunFailed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"before [b]", "after [a]", "every_step true"})
  void a_breakpoint_stops_the_run(String place) throws Exception {
    var text =
        """
        graph g {
          breakpoints { %s }
          channel trace append of text
          start a  a -> b
          node a { kind function function "a" }
          node b { kind function function "b" }
        }
        """;
    var graph = bench.graph(text.formatted(place));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var outcome = graph.run(graph.input(Map.of()), options);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.PAUSED);
    assertThat(bench.ran).containsExactly("a");
    Bench.end(graph.resume(Answers.none(), options));
    assertThat(bench.ran).containsExactly("a", "b");
  }

  private static ChatReply costing(int tokens, ToolCall... calls) {
    var message = new AssistantMessage("", calls.length == 0 ? "ok" : "", List.of(calls));
    return ScriptedModel.reply(
        message,
        new Usage(tokens / 2, 0, 0, tokens / 2, 0, false),
        calls.length == 0 ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS);
  }

  private static String modelLoop(String limits) {
    return """
    graph g {
      %s
      channel trace append of text
      start m
      node m { model "m" prompt "?" next w }
      node w { kind agent model "m" prompt "?" next a }
      node a { kind function function "a" router "again" routes { again -> m  out -> END } }
    }
    """
        .formatted(limits);
  }

  @ParameterizedTest
  @CsvSource({"model_calls 5, 5", "model_calls 1, 1"})
  void the_limits_of_a_graph_hold_for_models_and_agents_together(String limits, int calls) {
    var model = ScriptedModel.by(_ -> costing(10));
    bench.model("m", model).router("again", _ -> "again");
    assertThatThrownBy(() -> bench.run(modelLoop("limits { " + limits + " }")))
        .isInstanceOf(RagRunFailed.class)
        .hasRootCauseInstanceOf(BudgetExceeded.class);
    assertThat(model.calls()).isEqualTo(calls);
  }

  @Test
  void a_budget_is_not_begun_again_when_a_thread_is_resumed() throws Exception {
    var model = ScriptedModel.by(_ -> costing(10));
    bench.model("m", model).router("again", _ -> "again");
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var text = modelLoop("limits { model_calls 5 }");
    assertThatThrownBy(() -> Bench.run(bench.graph(text), Map.of(), options))
        .isInstanceOf(RagRunFailed.class);
    assertThat(model.calls()).isEqualTo(5);
    assertThatThrownBy(() -> bench.graph(text).resume(Answers.none(), options))
        .isInstanceOf(RagRunFailed.class)
        .hasRootCauseInstanceOf(BudgetExceeded.class);
    assertThat(model.calls()).isEqualTo(5);
  }

  @Test
  void the_limits_of_a_node_hold_for_that_node() throws Exception {
    var model = ScriptedModel.by(_ -> costing(10));
    bench.model("m", model);
    var text = "graph g { start m node m { model \"m\" prompt \"?\" limits { tokens %d } } }";
    bench.run(text.formatted(100_000));
    assertThatThrownBy(() -> bench.run(text.formatted(1)))
        .hasRootCauseInstanceOf(BudgetExceeded.class);
    assertThat(model.calls()).isEqualTo(1);
  }

  record Nothing() {}

  @Test
  void the_limit_on_tool_calls_holds_for_executors() {
    var calls = new AtomicInteger();
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "tick",
            Tool.of("tick", "Ticks.", Nothing.class, (_, _) -> "t" + calls.incrementAndGet())));
    bench.model(
        "m",
        ScriptedModel.by(r -> costing(2, new ToolCall("c" + r.messages().size(), "tick", "{}"))));
    var text =
        """
        graph g {
          limits { tool_calls 3 }
          channel messages messages
          start m
          node m { model "m" prompt "?" routes { tool_call -> t  final -> END } }
          node t { kind tool_executor tools ["tick"] next m }
        }
        """;
    assertThatThrownBy(() -> bench.run(text)).hasMessageContaining("may make 3 tool calls");
    assertThat(calls).hasValue(3);
  }

  @Test
  void the_limit_on_tasks_stops_a_stored_run() throws Exception {
    bench.router("again", _ -> "again");
    var graph = bench.graph(loop("limits { tasks 2 }"));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var outcome = graph.run(graph.input(Map.of()), options);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.TASK_LIMIT);
    assertThat(bench.ran).hasSize(2);
    assertThatThrownBy(() -> graph.run(graph.input(Map.of()), RunOptions.defaults()))
        .isInstanceOf(RagError.class);
  }

  @ParameterizedTest
  @Tag("R29")
  @CsvSource({"human, cancel, true", "human, pause, false", "parent, cancel, false"})
  void steering_lets_pass_only_what_the_text_allows(String actor, String command, boolean allowed) {
    bench.registry.register(
        Component.of(
            Kind.AGENT, "checker", Agent.named("checker").model(ScriptedModel.saying()).build()));
    var graph =
        bench.graph(
            """
            graph g {
              start c
              node c { kind subagent agent "checker" steering { human allow ["cancel"] } }
            }
            """);
    var rules = new SteeringRules(graph.blueprint());
    var steer = command.equals("cancel") ? new Steer.Cancel("x") : new Steer.Pause("x");
    var from =
        actor.equals("human")
            ? new SteeringCommand.Actor.Human("ada")
            : new SteeringCommand.Actor.GraphSupervisor("g");
    var sent = graph.steering().command(new SteeringCommand.Target.Named("checker"), from, steer);
    assertThat(rules.refusal(sent, List.of()).isEmpty()).isEqualTo(allowed);
    var elsewhere = sent.to(new SteeringCommand.Target.Named("other"));
    assertThat(rules.refusal(elsewhere, List.of())).isEmpty();
  }

  @ParameterizedTest
  @Tag("R25")
  @Tag("R29")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'' | true",
        "defaults { steering { human allow [\"add_instruction\"] } } | true",
        "defaults { steering { human allow [\"pause\"] } } | false",
      })
  void steering_of_the_defaults_decides_whether_a_command_reaches_an_agent(
      String defaults, boolean reaches) throws Exception {
    var model =
        bench.replying(
            "m",
            ScriptedModel.calls(new ToolCall("1", "work", "{}")),
            ScriptedModel.text("By train."));
    var sent = new CopyOnWriteArrayList<String>();
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "work",
            Tool.of(
                "work",
                "Works.",
                Nothing.class,
                (_, context) -> {
                  var steering = context.node().find(Steering.KEY).orElseThrow();
                  var id = steering.human("ada", new Steer.AddInstruction("By train."));
                  sent.add(id);
                  return "worked";
                })));
    var graph =
        bench.graph(
            "graph g { %s start c node c { kind agent model \"m\" prompt \"Go.\" tools [\"work\"] } }"
                .formatted(defaults));
    var steering = graph.steering();
    Bench.run(graph, Map.of(), RunOptions.defaults().with(Steering.KEY, steering));
    assertThat(sent)
        .extracting(id -> steering.status(id).orElseThrow().state())
        .containsExactly(reaches ? Steering.State.APPLIED : Steering.State.REJECTED);
    assertThat(model.requests().getLast().messages())
        .extracting(message -> message.text())
        .satisfies(
            texts -> assertThat(texts.contains("Instruction: By train.")).isEqualTo(reaches));
  }

  @Test
  void dataflow_lets_a_fast_branch_go_on() throws Exception {
    var started = new CountDownLatch(1);
    bench.function(
        "slow",
        (_, _) -> {
          started.await(10, java.util.concurrent.TimeUnit.SECONDS);
          return Update.of(Bench.TRACE, "slow " + (started.getCount() == 0));
        });
    bench.function("fast", (_, _) -> dev.superstep.node.NodeResult.nothing());
    bench.function(
        "next",
        (_, _) -> {
          started.countDown();
          return dev.superstep.node.NodeResult.nothing();
        });
    var text =
        """
        graph g {
          defaults { dataflow enabled }
          channel trace append
          start [slow, fast]
          fast -> next
          node slow { kind function function "slow" reads [] writes [trace] }
          node fast { kind function function "fast" reads [] writes [] }
          node next { kind function function "next" reads [] writes [] }
        }
        """;
    assertThat(bench.value(text, "trace")).isEqualTo(List.of("slow true"));
  }

  @Test
  void metadata_is_carried_and_changes_no_run() throws Exception {
    bench.router("again", _ -> "out");
    var graph = bench.graph(loop("metadata { owner \"demo\" }"));
    Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(graph.blueprint().json()).contains("\"owner\":\"demo\"");
    assertThat(graph.graph().topology().hash())
        .isEqualTo(bench.graph(loop("")).graph().topology().hash());
  }

  @Test
  @Tag("W1")
  void output_that_is_missing_or_of_another_type_fails_the_run() throws Exception {
    bench.router("again", _ -> "out");
    assertThatThrownBy(() -> bench.run(loop("output { verdict text } channel verdict overwrite")))
        .isInstanceOf(InvalidFields.class)
        .hasMessageContaining("`verdict` is missing");
    bench.run(loop("output { verdict text? } channel verdict overwrite"));
    bench.run(loop("output { trace list<text> }"));
    assertThatThrownBy(() -> bench.run(loop("output { n int } channel n merge of int")))
        .hasMessageContaining("`n` is not of type `int`");
  }
}
