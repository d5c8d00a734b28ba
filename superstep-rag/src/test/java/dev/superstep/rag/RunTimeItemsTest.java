package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.bounds.Bound;
import dev.superstep.language.bounds.Measure;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.JoinTimedOut;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Items that change what nodes do beyond their own work: what is looked up, what is saved, how
/// long a join waits, and what agents and graphs inside may take.
class RunTimeItemsTest {
  private final Bench bench = new Bench().steps("a", "b", "c");
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  record Nothing() {}

  private RunOptions options() {
    return RunOptions.thread("t").checkpoints(threads).clock(() -> now).concurrency(1);
  }

  // retriever

  @ParameterizedTest
  @ValueSource(strings = {"model", "agent"})
  @Tag("W1")
  void what_a_retriever_finds_is_told_before_what_the_node_says(String kind) throws Exception {
    var model = bench.saying("m", "30 days");
    var asked = new AtomicInteger();
    bench.registry.register(
        Component.of(
            RagKind.RETRIEVER,
            "handbook",
            question -> {
              asked.incrementAndGet();
              return "[1] about " + question;
            }));
    var text =
        "graph g { input { claim text } allow retrievers [\"handbook\"] start x"
            + " node x { kind %s model \"m\" retriever \"handbook\" prompt \"On {claim}?\" } }";
    bench.run(text.formatted(kind), Map.of("claim", "returns"));
    var told = model.requests().getLast().messages().stream().map(Message::text).toList();
    assertThat(told).hasSize(2).last().isEqualTo("On returns?");
    assertThat(told.getFirst()).endsWith("[1] about On returns?");
    assertThat(asked).hasValue(1);
  }

  @Test
  @Tag("W1")
  void passages_are_no_part_of_the_conversation_and_are_looked_up_once() throws Exception {
    var tries = new AtomicInteger();
    bench.model(
        "m",
        ScriptedModel.by(_ -> {
          if (tries.getAndIncrement() == 0) throw new IllegalStateException("down");
          return ScriptedModel.text("ok");
        }));
    var asked = new AtomicInteger();
    bench.registry.register(
        Component.of(RagKind.RETRIEVER, "handbook", _ -> "found " + asked.incrementAndGet()));
    var text =
        "graph g { channel messages messages start x"
            + " node x { model \"m\" retriever \"handbook\" prompt \"Hi\" } }";
    var graph = bench.graph(text);
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options()))
        .isInstanceOf(RagRunFailed.class);
    var end = Bench.end(graph.resume(Answers.none(), options()));
    assertThat(asked).hasValue(1);
    @SuppressWarnings("unchecked")
    var said = (List<Message>) graph.value(end, "messages").orElseThrow();
    assertThat(said).extracting(Message::text).containsExactly("Hi", "ok");
  }

  // system of an agent

  @Test
  @Tag("W1")
  void placeholders_in_the_system_of_an_agent_are_filled() throws Exception {
    var model = bench.saying("m", "pay");
    bench.run(
        "graph g { input { claim text } start x node x { kind agent model \"m\""
            + " system \"Judge {claim} {{x}}.\" prompt \"Go\" routes { pay -> y  no -> END } }"
            + " channel trace append of text node y { kind function function \"a\" } }",
        Map.of("claim", "the bike"));
    assertThat(model.requests().getLast().messages().getFirst().text())
        .startsWith("Judge the bike {x}.\n\n")
        .contains("pay, no");
    assertThat(bench.ran).containsExactly("a");
  }

  // checkpoint of a node

  @ParameterizedTest
  @ValueSource(strings = {"checkpoint disabled", "checkpoint enabled", ""})
  @Tag("W1")
  void a_reply_that_is_not_saved_is_asked_for_again(String checkpoint) throws Exception {
    var model = bench.saying("m", "one", "two", "three");
    bench.mapping("task", _ -> "x");
    bench.channel(Channel.latest("out", Long.class));
    var text =
        "graph g { channel out overwrite of int start x"
            + " node x { model \"m\" prompt \"?\" answer int into out %s } }";
    var graph = bench.graph(text.formatted(checkpoint));
    for (int i = 0; i < 2; i++) {
      boolean isFirst = i == 0;
      assertThatThrownBy(
              () -> {
                if (isFirst) graph.run(graph.input(Map.of()), options());
                else graph.resume(Answers.none(), options());
              })
          .hasMessageContaining("should answer with `int`");
    }
    assertThat(model.calls()).isEqualTo(checkpoint.endsWith("disabled") ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"disabled", "enabled"})
  @Tag("W1")
  void calls_of_tools_that_are_not_saved_are_made_again(String checkpoint) throws Exception {
    var ticks = new AtomicInteger();
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "tick",
            Tool.of("tick", "Ticks.", Nothing.class, (_, _) -> "t" + ticks.incrementAndGet())));
    bench.replying(
        "m",
        ScriptedModel.calls(new ToolCall("c1", "tick", "{}"), new ToolCall("c2", "tick", "{}")));
    var fails = new AtomicInteger(1);
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "flaky",
            Tool.of(
                "flaky",
                "Fails.",
                Nothing.class,
                (_, _) -> {
                  throw new IllegalStateException("no");
                })));
    var text =
        "graph g { channel messages messages start m"
            + " node m { model \"m\" prompt \"?\" routes { tool_call -> t  final -> END } }"
            + " node t { kind tool_executor tools [\"tick\"] next f checkpoint %s }"
            + " node f { kind function function \"flaky\" } }";
    bench.function(
        "flaky",
        (_, _) -> {
          if (fails.getAndDecrement() > 0) throw new IllegalStateException("not yet");
          return NodeResult.nothing();
        });
    var graph = bench.graph(text.formatted(checkpoint));
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options()))
        .isInstanceOf(RagRunFailed.class);
    // What has finished is kept in either case.
    Bench.end(graph.resume(Answers.none(), options()));
    assertThat(ticks).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kind router router \"r\" routes { x -> END }",
        "kind join sources [b, c]",
        "kind function function \"a\""
      })
  @Tag("R16")
  void where_nothing_is_saved_apart_a_checkpoint_is_a_foreign_item(String items) {
    bench.router("r", _ -> "x");
    var program =
        bench.program(
            "graph g { start [x, b, c] node x { %s checkpoint disabled }".formatted(items)
                + " node b { kind function function \"b\" }"
                + " node c { kind function function \"c\" } }");
    assertThat(program.text()).contains("E-rag-incompatible-item", "has no `checkpoint`");
  }

  // command of a graph inside

  @Test
  @Tag("W1")
  @Tag("R22")
  void a_command_of_a_graph_on_shared_channels_writes_with_its_result() throws Exception {
    var text =
        """
        graph g {
          channel trace append of text
          start i
          node i { kind subgraph graph "inner" command { goto c update { trace "done" } } }
          node c { kind function function "c" }
        }
        graph inner { channel trace append of text start a node a { kind function function "a" } }
        """;
    assertThat(bench.value(text, "trace")).isEqualTo(List.of("a", "done", "c"));
  }

  // model of a graph inside

  @Test
  @Tag("R15")
  void a_graph_inside_uses_the_model_of_its_node_where_it_names_none() throws Exception {
    var small = bench.saying("small", "s1", "s2", "s3");
    var large = bench.saying("large", "l1");
    var text =
        """
        graph g {
          start i
          node i { kind subgraph graph "inner" model "large" next j }
          node j { kind subgraph graph "inner" model "small" }
        }
        graph inner {
          start x
          node x { prompt "first" next y }
          node y { model "small" prompt "second" }
        }
        """;
    bench.run(text);
    assertThat(large.requests()).hasSize(1);
    assertThat(small.requests())
        .extracting(r -> r.messages().getLast().text())
        .containsExactly("second", "first", "second");
    var bounds = bench.graph(text).bounds();
    assertThat(bounds.of(Measure.MODEL_CALLS)).isEqualTo(Bound.of(4));
  }

  @Test
  @Tag("R15")
  void the_model_of_a_graph_inside_is_checked_like_any_other() {
    bench.saying("small");
    bench.saying("large");
    var text =
        """
        graph g { %s start i node i { kind subgraph graph "inner" %s } }
        graph inner { start x node x { prompt "?" } }
        """;
    assertThat(bench.program(text.formatted("", "model \"smal\"")).text())
        .contains("E-rag-unknown-model", "did you mean `small`");
    assertThat(bench.program(text.formatted("allow models [\"small\"]", "model \"large\"")).text())
        .contains("E-rag-disallowed-capability");
    assertThat(bench.program(text.formatted("", "")).text()).contains("E-rag-missing-item");
    assertThat(bench.program(text.formatted("", "model \"small\"")).text()).isEmpty();
  }

  // limits

  private void chatty() {
    bench.mapping("task", _ -> "Go.");
    var model =
        ScriptedModel.by(r -> {
          var call = new ToolCall("c" + r.messages().size(), "tick", "{}");
          return ScriptedModel.calls(call);
        });
    bench.model("chatty", model);
    var tick = Tool.of("tick", "Ticks.", Nothing.class, (_, _) -> "tick");
    bench.registry.register(Component.of(Kind.TOOL, "tick", tick));
    bench.registry.register(
        Component.of(Kind.AGENT, "helper", Agent.named("helper").model(model).tools(tick).build()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"model_calls 3", "tool_calls 3", "tokens 40"})
  @Tag("W1")
  void the_limits_of_a_sub_agent_bind_its_run(String limit) {
    chatty();
    var graph =
        bench.graph(
            "graph g { start x node x { kind subagent agent \"helper\" input \"task\" limits { %s } } }"
                .formatted(limit));
    var failure = catchThrowable(() -> Bench.run(graph, Map.of(), options()));
    assertThat(failure).isInstanceOf(RagRunFailed.class);
    var model = (ScriptedModel) bench.registry.instantiate(Kind.MODEL, "chatty", "test");
    assertThat(model.calls()).isBetween(1, 4);
    assertThat(graph.bounds().of(Measure.DEPTH)).isEqualTo(Bound.of(1));
  }

  private static final String NESTED =
      """
      graph g {
        %s
        channel trace append of text
        start i
        node i { kind subgraph graph "inner" router "again" routes { again -> i out -> END } }
      }
      graph inner {
        limits { %s }
        channel trace append of text
        start x
        node x { model "m" prompt "?" next a }
        node a { kind function function "a" router "again" routes { again -> x out -> END } }
      }
      """;

  @Test
  @Tag("W1")
  void the_limits_of_a_graph_inside_hold_for_each_of_its_runs() throws Exception {
    var model = ScriptedModel.by(_ -> ScriptedModel.text("ok"));
    bench.model("m", model);
    bench.router("again", _ -> "again");
    for (var outer : List.of("", "limits { model_calls 100 tasks 1000 }")) {
      for (var limit : List.of("model_calls 3", "tasks 6")) {
        int before = model.calls();
        var graph = bench.program(NESTED.formatted(outer, limit)).graph("g").orElseThrow();
        assertThatThrownBy(() -> Bench.run(graph, Map.of(), RunOptions.defaults()))
            .as(outer + limit)
            .isInstanceOf(RagRunFailed.class);
        assertThat(model.calls() - before).as(outer + limit).isEqualTo(3);
      }
    }
  }

  @Test
  @Tag("W1")
  void each_run_of_a_graph_inside_has_its_limits_anew() throws Exception {
    var model = ScriptedModel.by(_ -> ScriptedModel.text("ok"));
    bench.model("m", model);
    var outer = new AtomicInteger();
    bench.router("again", _ -> outer.incrementAndGet() % 4 < 3 ? "again" : "out");
    for (var around : List.of("", "limits { model_calls 100 tasks 1000 }")) {
      int before = model.calls();
      outer.set(0);
      var text =
          NESTED
              .formatted(around, "model_calls 1 tasks 2")
              .replace(
                  "function \"a\" router \"again\" routes { again -> x out -> END } }",
                  "function \"a\" }");
      Bench.run(bench.program(text).graph("g").orElseThrow(), Map.of(), RunOptions.defaults());
      assertThat(model.calls() - before).as(around).isEqualTo(3);
    }
  }

  @Test
  void tasks_are_counted_over_crashes_and_resumptions_of_the_thread() {
    bench.router("again", _ -> "again");
    var fails = new AtomicInteger();
    var ran = new AtomicInteger();
    bench.function(
        "flaky",
        (_, _) -> {
          if (fails.incrementAndGet() % 2 == 0) throw new IllegalStateException("down");
          ran.incrementAndGet();
          return Update.of(Bench.TRACE, "x");
        });
    var graph =
        bench.graph(
            "graph g { limits { tasks 5 } defaults { recursion_limit 3 }"
                + " channel trace append of text start x node x { kind function"
                + " function \"flaky\" router \"again\" routes { again -> x  out -> END } } }");
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options()))
        .isInstanceOf(RagRunFailed.class);
    Throwable last = null;
    for (int i = 0; i < 12; i++) {
      last = catchThrowable(() -> graph.resume(Answers.none(), options()));
    }
    assertThat(ran).hasValue(5);
    assertThat(last).hasMessageContaining("may run 5 tasks");
  }

  @ParameterizedTest
  @CsvSource({
    "on_failure skip, 5",
    "on_failure fallback { trace \"f\" }, 5",
    "on_failure route h, 3"
  })
  void tasks_whose_failure_is_handled_are_counted(String handling, int ran) {
    bench.router("again", _ -> "again");
    var calls = new AtomicInteger();
    bench.function(
        "down",
        (_, _) -> {
          calls.incrementAndGet();
          throw new IllegalStateException("down");
        });
    var routed = handling.contains("route");
    var graph =
        bench.graph(
            "graph g { limits { tasks 5 } channel trace append of text start x"
                + " node x { kind function function \"down\" "
                + (routed ? "" : "router \"again\" routes { again -> x  out -> END } ")
                + handling
                + " }"
                + (routed
                    ? " node h { kind router router \"again\" routes { again -> x  out -> END } }"
                    : "")
                + " }");
    // What handles failures handles the refusal, too, so that only the steps of the run end it.
    assertThatThrownBy(() -> Bench.run(graph, Map.of(), options()))
        .hasMessageContaining(routed ? "may run 5 tasks" : "limit of 50 supersteps");
    assertThat(calls).hasValue(ran);
  }

  @Test
  void no_agent_of_a_graph_goes_deeper_than_its_limit() throws Exception {
    var inner = Agent.named("inner").model(ScriptedModel.saying("deep", "deep")).build();
    var calls = new ToolCall("c1", "inner", "{\"task\":\"go\"}");
    var model =
        ScriptedModel.by(r ->
            r.messages().size() > 2
                ? ScriptedModel.text(r.messages().getLast().text())
                : ScriptedModel.calls(calls));
    var outer = Agent.named("outer").model(model).agent(inner, "Goes on.").build();
    bench.registry.register(Component.of(Kind.AGENT, "outer", outer));
    var text =
        "graph g { %s channel out overwrite of text start x"
            + " node x { kind subagent agent \"outer\" input \"task\" into out } }";
    bench.mapping("task", _ -> "Go.");
    assertThat(bench.value(text.formatted(""), "out")).isEqualTo("deep");
    var told = bench.value(text.formatted("limits { depth 1 }"), "out");
    assertThat(String.valueOf(told)).isNotEqualTo("deep").contains("deep");
  }

  // timeout of a join

  private static final String JOIN =
      """
      graph g {
        channel trace append of text
        start [a, b]
        node a { kind function function "a" }
        node b { kind function function "b" next on }
        node on { kind function function "on" next late }
        node late { kind function function "late" }
        node j { kind join sources [a, late] next c timeout 10s %s }
        node c { kind function function "c" }
      }
      """;

  /// The time passes in a superstep of its own, in which nothing is noted.
  private void late(Duration taken) {
    bench.function("on", (_, _) -> NodeResult.nothing());
    bench.function(
        "late",
        (_, _) -> {
          now = now.plus(taken);
          return NodeResult.nothing();
        });
  }

  @Test
  @Tag("W1")
  void a_join_goes_on_if_all_come_in_time() throws Exception {
    late(Duration.ofSeconds(9));
    Bench.run(bench.graph(JOIN.formatted("")), Map.of(), options());
    assertThat(bench.ran).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("W1")
  void a_join_that_timed_out_fails_and_names_who_was_missing() {
    late(Duration.ofSeconds(11));
    var graph = bench.graph(JOIN.formatted(""));
    var failure = catchThrowable(() -> Bench.run(graph, Map.of(), options()));
    assertThat(failure)
        .isInstanceOf(RagRunFailed.class)
        .rootCause()
        .isInstanceOf(JoinTimedOut.class);
    var cause = (JoinTimedOut) rootCause(failure);
    assertThat(cause.missing()).containsExactly("late");
    assertThat(cause.join()).isEqualTo("j");
    assertThat(bench.ran).containsExactly("a", "b");
  }

  private static Throwable rootCause(Throwable error) {
    var at = error;
    while (at.getCause() != null) at = at.getCause();
    return at;
  }

  @Test
  @Tag("W1")
  void a_join_that_timed_out_goes_on_without_who_was_missing_if_it_says_so() throws Exception {
    late(Duration.ofSeconds(11));
    Bench.run(bench.graph(JOIN.formatted("on_failure skip")), Map.of(), options());
    assertThat(bench.ran).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("W1")
  @Tag("R21")
  void a_join_does_not_wait_for_what_can_no_longer_come() throws Exception {
    var text =
        """
        graph g {
          channel trace append of text
          start [a, b]
          node a { kind function function "a" }
          node b { kind function function "b" router "out" routes { late -> late  out -> END } }
          node late { kind function function "b" }
          node j { kind join sources [a, late] next c timeout 1h %s }
          node c { kind function function "c" }
        }
        """;
    bench.router("out", _ -> "out");
    assertThatThrownBy(() -> bench.run(text.formatted("")))
        .rootCause()
        .isInstanceOf(JoinTimedOut.class);
    bench.ran.clear();
    Bench.run(bench.graph(text.formatted("on_failure skip")), Map.of(), options());
    assertThat(bench.ran).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("W1")
  void the_time_of_a_join_goes_on_while_nobody_runs() throws Exception {
    var text =
        """
        graph g {
          channel trace append of text
          start [a, ask]
          node a { kind function function "a" }
          node ask { kind human prompt "Well?" }
          node j { kind join sources [a, ask] next c timeout 1h }
          node c { kind function function "c" }
        }
        """;
    var graph = bench.graph(text);
    // The first source arrives when the superstep of the question ends, with the answer.
    var asked = (Outcome.Interrupted) graph.run(graph.input(Map.of()), options());
    now = now.plus(Duration.ofDays(1));
    var id = asked.questions().getFirst().id();
    var answer = Answers.json(id, dev.superstep.json.Json.string("yes"));
    Bench.end(graph.resume(answer, options()));
    assertThat(bench.ran).containsExactly("a", "c");
    var later =
        text.replace(
            "start [a, ask]", "start [a, b] node b { kind function function \"b\" next ask }");
    var other = bench.graph(later);
    var thread = RunOptions.thread("u").checkpoints(threads).clock(() -> now);
    var again = (Outcome.Interrupted) other.run(other.input(Map.of()), thread);
    now = now.plus(Duration.ofDays(1));
    var second =
        Answers.json(again.questions().getFirst().id(), dev.superstep.json.Json.string("no"));
    assertThatThrownBy(() -> other.resume(second, thread))
        .rootCause()
        .isInstanceOf(JoinTimedOut.class);
  }

  @Test
  @Tag("W1")
  void a_join_in_a_loop_waits_anew_each_time() throws Exception {
    var turns = new AtomicInteger();
    bench.router("again", _ -> turns.incrementAndGet() < 3 ? "again" : "out");
    late(Duration.ofSeconds(1));
    var loop =
        JOIN.formatted("")
            .replace("start [a, b]", "start s node s { kind function function \"s\" next [a, b] }")
            .replace(
                "function \"c\" }",
                "function \"c\" router \"again\" routes { again -> s  out -> END } }");
    bench.function("s", (_, _) -> NodeResult.nothing());
    Bench.run(bench.graph(loop), Map.of(), options());
    assertThat(bench.ran).containsExactly("a", "b", "c", "a", "b", "c", "a", "b", "c");
  }

  @Test
  void only_a_join_of_all_has_a_timeout() {
    late(Duration.ZERO);
    var program = bench.program(JOIN.formatted("").replace("sources [", "sources any ["));
    assertThat(program.text()).contains("a join with a timeout waits for all of its sources");
  }
}
