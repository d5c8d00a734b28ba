package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Graphs inside graphs, and nodes that ask.
class InnerGraphsAndQuestionsTest {
  private final Bench bench = new Bench().steps("a", "b");

  private Json export(String text) throws Exception {
    var graph = bench.graph(text);
    return graph.export(Bench.run(graph, Map.of(), RunOptions.defaults()));
  }

  // subgraph

  private static final String NESTED =
      """
      graph outer {
        channel trace append of text
        channel note overwrite of text
        start inner
        node inner { kind subgraph graph "inner" %s }
      }
      graph inner {
        channel trace append of text
        channel note overwrite of text
        start x
        node x { kind function function "a" command { update { note "inside" } } }
      }
      """;

  @Test
  void a_graph_of_the_same_text_shares_the_channels_that_both_declare_alike() throws Exception {
    assertThat(export(NESTED.formatted("")))
        .isEqualTo(Json.parse("{\"note\":\"inside\",\"trace\":[\"a\"]}"));
    var other = NESTED.formatted("").replaceFirst("channel note overwrite", "channel note any");
    assertThat(export(other)).isEqualTo(Json.parse("{\"trace\":[\"a\"]}"));
  }

  @Test
  void mappings_stand_between_the_channels_of_two_graphs() throws Exception {
    bench.mapping("in", _ -> Map.of("note", "given"));
    bench.mapping("out", _ -> Map.of("note", "made"));
    assertThat(export(NESTED.formatted("output \"out\"")))
        .isEqualTo(Json.parse("{\"note\":\"made\",\"trace\":[]}"));
    var reading =
        """
        graph outer {
          start inner
          node inner { kind subgraph graph "inner" input "in" }
        }
        graph inner {
          channel note overwrite of text
          start x
          node x { model "m" prompt "{note}" }
        }
        """;
    var model = bench.saying("m", "ok");
    export(reading);
    assertThat(model.requests().getLast().messages().getLast().text()).isEqualTo("given");
  }

  @Test
  void a_registered_graph_runs_as_a_node_and_shares_registered_channels() throws Exception {
    var inside =
        Graph.named("inside")
            .channels(Bench.TRACE)
            .node("n", (_, _) -> Update.of(Bench.TRACE, "registered"))
            .edge(Graph.START, "n")
            .edge("n", Graph.END)
            .compile();
    bench.registry.register(Component.of(Kind.GRAPH, "inside", inside));
    assertThat(
            export(
                "graph g { channel trace append start n node n { kind subgraph graph \"inside\" }"
                    + " }"))
        .isEqualTo(Json.parse("{\"trace\":[\"registered\"]}"));
  }

  @Test
  @Tag("R27")
  void a_graph_inside_may_use_no_more_than_the_one_around_it() {
    bench.model("m", ScriptedModel.saying("x"));
    bench.model("n", ScriptedModel.saying("x"));
    var text =
        """
        graph outer {
          allow models ["n"]
          start inner
          node inner { kind subgraph graph "inner" }
        }
        graph inner {
          start x
          node x { model "m" prompt "?" }
        }
        """;
    var program = bench.program(text);
    assertThat(program.isValid()).isFalse();
    assertThat(program.text()).contains("model `m` is not allowed in graph `inner`", "desk.rag:8:");
    assertThat(bench.program(text.replace("[\"n\"]", "[\"m\"]")).isValid()).isTrue();
  }

  // interrupt and human

  @ParameterizedTest
  @Tag("W1")
  @CsvSource({"interrupt, pay, a", "human, refuse, b"})
  void a_question_is_asked_and_its_answer_chooses_the_route(String kind, String answer, String ran)
      throws Exception {
    var text =
        """
        graph g {
          input { claim text }
          channel trace append of text
          channel said overwrite of text
          start ask
          node ask {
            kind %s
            prompt "Pay {claim}?"
            options ["pay", "refuse"]
            into said
            routes { pay -> a  refuse -> b }
          }
          node a { kind function function "a" }
          node b { kind function function "b" }
        }
        """
            .formatted(kind);
    var graph = bench.graph(text);
    var store = new dev.superstep.checkpoint.InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var asked = (Outcome.Interrupted) graph.run(graph.input(Map.of("claim", "7")), options);
    var question = asked.questions().getFirst();
    assertThat(question.question()).isEqualTo("g.ask");
    assertThat(question.payload())
        .isEqualTo(
            Json.parse(
                "{\"prompt\":\"Pay 7?\",\"options\":[\"pay\",\"refuse\"],\"node\":\"ask\"}"));
    assertThatThrownBy(
            () -> graph.resume(dev.superstep.run.Answers.of(question.id(), "perhaps"), options))
        .hasMessageContaining("`perhaps` is none of: pay, refuse");
    var end = Bench.end(graph.resume(dev.superstep.run.Answers.of(question.id(), answer), options));
    assertThat(graph.value(end, "trace")).contains(List.of(ran));
    assertThat(graph.value(end, "said")).contains(answer);
  }

  @Test
  void a_question_may_have_an_answer_of_a_type() throws Exception {
    var text =
        """
        graph g {
          channel n overwrite of int
          start ask
          node ask { kind human prompt "How many?" answer int into n }
        }
        """;
    var graph = bench.graph(text);
    var options =
        RunOptions.thread("t").checkpoints(new dev.superstep.checkpoint.InMemoryCheckpointer());
    var asked = (Outcome.Interrupted) graph.run(graph.input(Map.of()), options);
    var id = asked.questions().getFirst().id();
    assertThatThrownBy(() -> graph.resume(dev.superstep.run.Answers.of(id, "many"), options))
        .hasMessageNotContaining("dev.superstep");
    var end = Bench.end(graph.resume(dev.superstep.run.Answers.of(id, 3L), options));
    assertThat(graph.value(end, "n")).contains(3L);
  }

  @Test
  void a_graph_hands_off_to_the_nodes_that_the_text_names() throws Exception {
    bench.function("give_up", (_, _) -> dev.superstep.node.Command.toParent("b"));
    var text =
        """
        graph outer {
          channel trace append of text
          start i
          node i { kind subgraph graph "inner" %s next a }
          node a { kind function function "a" }
          %s
        }
        graph inner {
          channel trace append of text
          start g
          node g { kind function function "give_up" }
        }
        """;
    var b = "node b { kind function function \"b\" }";
    assertThat(export(text.formatted("hand_offs [b]", b)))
        .isEqualTo(Json.parse("{\"trace\":[\"b\"]}"));
    assertThatThrownBy(() -> export(text.formatted("", ""))).isInstanceOf(RagRunFailed.class);
  }

  @Test
  void a_registered_question_may_be_asked_by_registered_code() throws Exception {
    var refund = dev.superstep.node.Question.of("refund", String.class, Boolean.class);
    bench.registry.register(Component.of(RagKind.QUESTION, "refund", refund));
    bench.function(
        "asks", (_, c) -> Update.of(Bench.TRACE, "answered " + c.interrupt(refund, "Really?")));
    var text =
        "graph g { %s channel trace append start a node a { kind function function \"asks\" } }";
    var options =
        RunOptions.thread("t").checkpoints(new dev.superstep.checkpoint.InMemoryCheckpointer());
    var graph = bench.graph(text.formatted("questions [\"refund\"]"));
    var asked = (Outcome.Interrupted) graph.run(graph.input(Map.of()), options);
    var id = asked.questions().getFirst().id();
    var end = Bench.end(graph.resume(dev.superstep.run.Answers.of(id, true), options));
    assertThat(graph.value(end, "trace")).contains(List.of("answered true"));
    var without = bench.graph(text.formatted(""));
    var other =
        RunOptions.thread("u").checkpoints(new dev.superstep.checkpoint.InMemoryCheckpointer());
    assertThatThrownBy(() -> without.run(without.input(Map.of()), other))
        .isInstanceOf(RagRunFailed.class);
  }
}
