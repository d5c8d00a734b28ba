package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.MissingRoute;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of nodes: start, edges, joins, triggers, routers, sends, commands.
class RoutingItemsTest {
  private final Bench bench = new Bench().steps("a", "b", "c", "d");

  /// A graph whose nodes are the functions of their names.
  private static String graph(String parts, String... nodes) {
    var text = new StringBuilder("graph g {\n  channel trace append of text\n");
    text.append(parts).append('\n');
    for (var node : nodes) {
      int blank = (node + " ").indexOf(' ');
      var name = node.substring(0, blank);
      text.append(
          "  node %s { kind function function \"%s\"%s }\n"
              .formatted(name, name, node.substring(blank)));
    }
    return text.append("}\n").toString();
  }

  private List<String> trace(String text) throws Exception {
    return trace(text, Map.of());
  }

  @SuppressWarnings("unchecked")
  private List<String> trace(String text, Map<String, ?> input) throws Exception {
    return (List<String>) bench.value(text, "trace", input);
  }

  @Test
  @Tag("R18")
  @Tag("R23")
  void start_names_the_nodes_that_run_first() throws Exception {
    assertThat(trace(graph("start a  a -> b  b -> END", "a ", "b "))).containsExactly("a", "b");
    assertThat(trace(graph("start [a, b]", "a ", "b "))).containsExactly("a", "b");
    assertThat(trace(graph("start b", "b "))).containsExactly("b");
  }

  @ParameterizedTest
  @CsvSource({"big, 'a'", "small, 'b'"})
  void start_may_choose_by_a_router(String size, String expected) throws Exception {
    bench.router("by_size", _ -> size);
    var text = graph("start { router \"by_size\" routes { big -> a  small -> b } }", "a ", "b ");
    assertThat(trace(text)).containsExactly(expected);
  }

  @Test
  void start_may_send_and_fan_out() throws Exception {
    bench.sent("echo", (argument, _, _) -> Update.of(Bench.TRACE, "got " + argument));
    bench.mapping("parts", _ -> List.of("x", "y"));
    bench.router("spread", _ -> List.of(Send.to(Target.of("echo", String.class), "z")));
    var text =
        graph(
            "start { sends [send echo \"parts\"] fan_out \"spread\" -> [echo] }",
            "echo argument text");
    assertThat(trace(text)).containsExactly("got x", "got y", "got z");
  }

  @Test
  @Tag("R19")
  @Tag("W4")
  void several_edges_of_a_node_are_all_followed() throws Exception {
    assertThat(trace(graph("start a  a -> b  a -> c", "a ", "b ", "c ")))
        .containsExactly("a", "b", "c");
    assertThat(trace(graph("start a", "a next [b, c]", "b ", "c "))).containsExactly("a", "b", "c");
    assertThat(trace(graph("start a", "a next b", "b "))).containsExactly("a", "b");
  }

  @ParameterizedTest
  @Tag("R21")
  @Tag("W1")
  @Tag("W3")
  @Tag("W4")
  @CsvSource({
    "'join [b, c] -> d', 'a,b,x,c,d'",
    "'join any [b, c] -> d', 'a,b,x,c,d'",
    "'join 2 of [b, c, x] -> d', 'a,b,x,c,d'",
    "'b -> d  c -> d', 'a,b,x,c,d,d'",
  })
  void a_join_runs_its_target_once_its_sources_have_finished(String join, String expected)
      throws Exception {
    // b finishes one superstep before c
    bench.steps("x");
    var text = graph("start a  a -> b  a -> x  x -> c " + join, "a ", "b ", "x ", "c ", "d ");
    var ran = String.join(",", trace(text));
    if (join.contains("any") || join.contains("2 of")) {
      assertThat(ran).isIn("a,b,x,c,d", "a,b,x,d,c");
    } else if (join.startsWith("b ->")) assertThat(ran).isEqualTo("a,b,x,c,d,d");
    else assertThat(ran).isEqualTo(expected);
  }

  @Test
  @Tag("W4")
  void a_join_with_a_policy_does_not_wait_for_all() throws Exception {
    bench.steps("x");
    var all =
        graph("start a  a -> b  a -> x  x -> c  join [b, c] -> d", "a ", "b ", "x ", "c ", "d ");
    assertThat(trace(all)).containsExactly("a", "b", "x", "c", "d");
    var any = all.replace("join [b, c]", "join any [b, c]");
    assertThat(trace(any)).as("d runs beside c").startsWith("a", "b", "x").contains("d").hasSize(5);
    assertThat(trace(any).indexOf("d")).isGreaterThan(2);
    var node =
        graph(
            "start a  a -> b  a -> x  x -> c  node e { kind join sources any [b, c] next d }",
            "a ",
            "b ",
            "x ",
            "c ",
            "d ");
    assertThat(trace(node).indexOf("d")).as("after e, beside or after c").isGreaterThan(2);
    assertThat(trace(node.replace("any ", ""))).containsExactly("a", "b", "x", "c", "d");
  }

  @Test
  void a_trigger_runs_its_node_once_all_its_tokens_are_there() throws Exception {
    var text =
        graph(
            "channel t token of int  channel u token of int  start a  trigger [t, u] -> b",
            "a command { update { t 1 u 2 } }",
            "b ");
    assertThat(trace(text)).containsExactly("a", "b");
    assertThatThrownBy(() -> trace(text.replace(" u 2", "")))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("t+u -> b still waits for u");
  }

  @Test
  @Tag("R17")
  void a_router_chooses_by_label_and_an_unknown_label_is_an_error() throws Exception {
    bench.router("pick", _ -> "left").router("lost", _ -> "up");
    var text = graph("start a", "a router \"pick\" routes { left -> b  right -> c }", "b ", "c ");
    assertThat(trace(text)).containsExactly("a", "b");
    assertThat(trace(text.replace("left -> b  right -> c", "left -> c  right -> b")))
        .containsExactly("a", "c");
    assertThatThrownBy(() -> trace(text.replace("pick", "lost")))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("node `a` ended with `up`, for which it has no route");
  }

  @Test
  void a_router_may_choose_by_the_name_of_the_target_and_several() throws Exception {
    bench.router("both", _ -> List.of("b", "c")).router("none", _ -> List.of());
    var text = graph("start a", "a router many \"both\" routes { b c }", "b ", "c ");
    assertThat(trace(text)).containsExactly("a", "b", "c");
    assertThat(trace(text.replace("both", "none"))).containsExactly("a");
  }

  @Test
  void a_router_node_runs_nothing_and_chooses() throws Exception {
    bench.router("pick", _ -> "right");
    var text =
        graph(
            "start r  node r { kind router router \"pick\" routes { left -> b  right -> c } }",
            "b ",
            "c ");
    assertThat(trace(text)).containsExactly("c");
  }

  @Test
  @Tag("R20")
  @Tag("W1")
  @Tag("W4")
  void sends_run_their_target_once_for_each_argument_beside_the_edges() throws Exception {
    bench.sent("echo", (argument, _, _) -> Update.of(Bench.TRACE, "got " + argument));
    bench.mapping("parts", _ -> List.of(1, 2, 3));
    var text = graph("start a  a -> b", "a sends [send echo \"parts\"]", "echo argument int", "b ");
    assertThat(trace(text)).containsExactlyInAnyOrder("a", "got 1", "got 2", "got 3", "b");
    bench.registry.replace(
        dev.superstep.registry.Component.of(
            RagKind.MAPPING, "parts", (Mapping) _ -> Json.parse("[7]")));
    assertThat(trace(text)).containsExactlyInAnyOrder("a", "got 7", "b");
  }

  @Test
  void a_send_of_another_type_than_the_target_takes_is_an_error_with_its_place() {
    bench.sent("echo", (argument, _, _) -> Update.of(Bench.TRACE, "got " + argument));
    bench.mapping("parts", _ -> List.of("three"));
    var text = graph("start a", "a sends [send echo \"parts\"]", "echo argument int");
    assertThatThrownBy(() -> trace(text))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageStartingWith("desk.rag:4:8: the choice after `a` failed");
  }

  @Test
  void a_registered_router_may_send_by_itself() throws Exception {
    bench.sent("echo", (argument, _, _) -> Update.of(Bench.TRACE, "got " + argument));
    bench.router("spread", _ -> List.of(Send.to(Target.of("echo", Long.class), 5L)));
    var text = graph("start a", "a fan_out \"spread\" -> [echo]", "echo argument int");
    assertThat(trace(text)).containsExactly("a", "got 5");
  }

  @ParameterizedTest
  @ValueSource(classes = {Long.class, Integer.class})
  void a_send_of_a_registered_router_keeps_its_limit_of_time(Class<? extends Number> type) {
    bench.sent(
        "echo",
        (_, _, _) -> {
          new CountDownLatch(1).await();
          return Update.of(Bench.TRACE, "late");
        });
    bench.router("spread", _ -> List.of(late(type)));
    var text = graph("start a", "a fan_out \"spread\" -> [echo]", "echo argument int");
    assertThatThrownBy(() -> trace(text))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("`echo`");
  }

  private static Send<?> late(Class<? extends Number> type) {
    var limit = Duration.ofMillis(20);
    return type == Long.class
        ? Send.to(Target.of("echo", Long.class), 5L).timeout(limit)
        : Send.to(Target.of("echo", Integer.class), 5).timeout(limit);
  }

  @Test
  @Tag("R22")
  @Tag("W1")
  void a_command_goes_to_its_target_and_writes_with_the_result_of_its_node() throws Exception {
    var text =
        graph("channel n sum  start a", "a command { goto c update { n 4 } }", "b ", "c ")
            .replace("start a", "start [a, b]");
    var graph = bench.graph(text);
    var end = Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(graph.export(end)).isEqualTo(Json.parse("{\"n\":4,\"trace\":[\"a\",\"b\",\"c\"]}"));
    var without =
        bench.graph(
            text.replace("command { goto c update { n 4 } }", "next END")
                .replace("node c", "b -> c node c"));
    var other = Bench.run(without, Map.of(), RunOptions.defaults());
    assertThat(without.export(other))
        .isEqualTo(Json.parse("{\"n\":0,\"trace\":[\"a\",\"b\",\"c\"]}"));
  }

  @Test
  void destinations_allow_the_commands_of_registered_code() throws Exception {
    bench.function("jump", (_, _) -> Command.to("c").with(Update.of(Bench.TRACE, "jump")));
    var text = graph("start jump", "jump destinations [b, c]", "b ", "c ");
    assertThat(trace(text)).containsExactly("jump", "c");
    assertThatThrownBy(() -> trace(graph("start jump  jump -> b  b -> c", "jump ", "b ", "c ")))
        .isInstanceOf(RagRunFailed.class);
    var added = graph("start jump  jump -> b", "jump added_destinations [c]", "b ", "c ");
    assertThat(trace(added)).containsExactly("jump", "b", "c");
  }

  @Test
  void a_deferred_node_waits_until_nothing_else_is_due() throws Exception {
    var text = graph("start a  a -> b  a -> c  c -> d  d -> END", "a ", "b ", "c ", "d ");
    assertThat(trace(text)).containsExactly("a", "b", "c", "d");
    assertThat(trace(text.replace("function \"b\"", "function \"b\" deferred")))
        .containsExactly("a", "c", "d", "b");
  }

  @Test
  void a_gated_node_is_skipped_while_nothing_that_it_looks_at_has_changed() throws Exception {
    bench.router(
        "twice",
        s -> s.get(Bench.TRACE).stream().filter("a"::equals).count() < 2 ? "again" : "done");
    var text =
        graph(
            "channel seen overwrite of text  start a  a -> b",
            "a ",
            "b router \"twice\" routes { again -> a  done -> END }");
    assertThat(trace(text)).containsExactly("a", "b", "a", "b");
    assertThat(trace(text.replace("function \"b\"", "function \"b\" run_when_changed [seen]")))
        .containsExactly("a", "b", "a");
  }

  @Test
  void a_node_may_only_read_and_write_what_it_declares() throws Exception {
    var text = graph("channel n sum  start a", "a ");
    assertThat(trace(text)).containsExactly("a");
    assertThat(trace(text.replace("function \"a\"", "function \"a\" writes [trace]")))
        .containsExactly("a");
    assertThatThrownBy(() -> trace(text.replace("function \"a\"", "function \"a\" writes [n]")))
        .isInstanceOf(RagRunFailed.class);
    var look = Channel.latest("look", String.class);
    bench.channel(look).function("eyes", (s, _) -> Update.of(Bench.TRACE, "" + s.find(look)));
    var reading = graph("channel look overwrite  start eyes", "eyes ");
    assertThat(trace(reading)).containsExactly("Optional.empty");
    assertThatThrownBy(() -> trace(reading.replace("\"eyes\"", "\"eyes\" reads [trace]")))
        .isInstanceOf(RagRunFailed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"allow", "warn", "forbid"})
  void cycles_are_refused_only_where_the_graph_forbids_them(String policy) {
    bench.router("out", _ -> "out");
    var text =
        graph(
            "cycles " + policy + "  start a  a -> b",
            "a ",
            "b router \"out\" routes { back -> a  out -> END }");
    var program = bench.program(text);
    assertThat(program.isValid()).isEqualTo(!policy.equals("forbid"));
    if (!program.isValid()) assertThat(program.text()).contains("E-rag-unfit-graph");
    else assertThat(program.graph().graph().warnings().isEmpty()).isEqualTo(policy.equals("allow"));
  }

  @Test
  @Tag("R17")
  void an_agent_that_ends_without_a_route_fails_with_its_node_and_label() {
    bench.saying("m", "perhaps");
    var text =
        """
        graph g {
          start judge
          node judge { kind agent model "m" prompt "Pay?" routes { yes -> END  no -> END } }
        }
        """;
    assertThatThrownBy(() -> bench.run(text))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("judge")
        .hasMessageContaining("perhaps")
        .hasRootCauseInstanceOf(MissingRoute.class);
  }

  @ParameterizedTest
  @Tag("R17")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "interrupt | options [\"yes\", \"later\"] routes { yes -> END } | \"later\" | later",
        "human | answer bool routes { true -> END } | false | false",
      })
  void an_answer_of_a_person_without_a_route_fails_with_node_and_label(
      String kind, String items, String answer, String label) throws Exception {
    var graph =
        bench.graph(
            "graph g { start ask node ask { kind %s prompt \"Pay?\" %s } }".formatted(kind, items));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var asked = (Outcome.Interrupted) graph.run(graph.input(Map.of()), options);
    var answers = Answers.json(asked.questions().getFirst().id(), Json.parse(answer));
    assertThatThrownBy(() -> graph.resume(answers, options))
        .isInstanceOf(RagRunFailed.class)
        .hasMessageContaining("ask")
        .hasMessageContaining("`" + label + "`")
        .hasRootCauseInstanceOf(MissingRoute.class);
  }

  @Test
  @Tag("R24")
  void a_draft_runs_without_the_nodes_that_nothing_leads_to() throws Exception {
    var text =
        """
        graph g {
          channel trace append of text
          start a
          node a { kind function function "a" }
          node b { kind function function "b" next a }
        }
        """;
    var source = Source.of("draft.rag", text);
    assertThat(bench.program(text).isValid()).isFalse();
    var policy = CheckPolicy.file("draft.rag").warningOfDeadEnds();
    var program = Rag.compile(source, bench.registry, policy);
    assertThat(program.isValid()).as(program.text()).isTrue();
    assertThat(program.text()).contains("warning[E-rag-unreachable-node]");
    var graph = program.graph();
    Bench.run(graph, Map.of(), RunOptions.defaults());
    assertThat(bench.ran).containsExactly("a");
  }
}
