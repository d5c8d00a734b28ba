package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.ConcurrentWrites;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.rag.component.TypedReducer;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.state.Channel;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The values that reducers make of what nodes write.
class ChannelItemsTest {
  /// Two nodes that write in one superstep, and one after them that writes nothing.
  private static final String TWO_WRITERS =
      """
      graph g {
        channel x %s
        start [a, b]
        node a { kind function function "a" command { update { x %s } } }
        node b { kind function function "b" command { update { x %s } } }
        join [a, b] -> c
        node c { kind function function "c" }
      }
      """;

  private final Bench bench = new Bench().function("a", nothing()).function("b", nothing());

  ChannelItemsTest() {
    bench.function("c", nothing());
    bench.registry.register(
        Component.of(
            Kind.REDUCER, "total", TypedReducer.of(Long.class, Long.class, 100L, (a, b) -> a + b)));
    bench.registry.register(
        Component.of(
            Kind.REDUCER, "usage_sum", Channel.reduce("u", Long.class, 7L, Long::sum).reducer()));
  }

  private static dev.superstep.node.Node nothing() {
    return (_, _) -> dev.superstep.node.NodeResult.nothing();
  }

  private Json exported(String reducer, String first, String second) throws Exception {
    var graph = bench.graph(TWO_WRITERS.formatted(reducer, first, second));
    var end = Bench.run(graph, Map.of(), dev.superstep.graph.RunOptions.defaults());
    return graph.export(end);
  }

  @ParameterizedTest
  @Tag("R12")
  @Tag("R14")
  @Tag("W1")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "any of int                | 1 | 2 | {\"x\":2}",
        "ephemeral                 | 1 | null | ERROR",
        "append of int             | 1 | 2 | {\"x\":[1,2]}",
        "append                    | \"a\" | { b 2 } | {\"x\":[\"a\",{\"b\":2}]}",
        "append of int keep_last 1 | 1 | 2 | {\"x\":[2]}",
        "append keep_within 3 \"w\" | { w 2 n 1 } | { w 2 n 2 } | {\"x\":[{\"w\":2,\"n\":2}]}",
        "append keep_top 1 \"r\"    | { r 5 } | { r 3 } | {\"x\":[{\"r\":5}]}",
        "append dedup_by \"k\"      | { k 1 n 1 } | { k 1 n 2 } | {\"x\":[{\"k\":1,\"n\":1}]}",
        "by_id \"id\"              | { id 1 n 1 } | { id 1 n 2 } | {\"x\":[{\"id\":1,\"n\":2}]}",
        "merge of int              | { a 1 } | { b 2 } | {\"x\":{\"a\":1,\"b\":2}}",
        "union of text             | \"a\" | \"a\" | {\"x\":[\"a\"]}",
        "sum                       | 1 | 2 | {\"x\":3}",
        "min of decimal            | 1.5 | 2 | {\"x\":1.5}",
        "max of text               | \"a\" | \"b\" | {\"x\":\"b\"}",
        "barrier 2 of int          | 1 | 2 | {\"x\":[1,2]}",
        "barrier 3 of int          | 1 | 2 | {}",
        "named_barrier \"a\" \"b\" | \"b\" | \"a\" | {\"x\":[\"a\",\"b\"]}",
        "named_barrier \"a\" \"c\" | \"a\" | \"a\" | {}",
        "aggregate \"usage_sum\" of int | 1 | 2 | {\"x\":10}",
        "folding \"total\"          | 1 | 2 | {\"x\":103}",
        "delta \"total\" snapshot_every 1 | 1 | 2 | {\"x\":103}",
        "total                     | 1 | 2 | {\"x\":103}",
        "topic of int              | 1 | 2 | {\"x\":[]}",
        "overwrite of int          | 1 | 2 | ERROR",
        "token of int              | 1 | 2 | ERROR",
        "untracked of text         | \"a\" | \"b\" | ERROR",
      })
  void the_reducer_decides_what_two_writes_of_one_superstep_make(
      String reducer, String first, String second, String expected) throws Exception {
    if (expected.equals("ERROR")) {
      assertThatThrownBy(() -> exported(reducer, first, second))
          .isInstanceOf(RagRunFailed.class)
          .hasCauseInstanceOf(ConcurrentWrites.class);
    } else assertThat(exported(reducer, first, second)).isEqualTo(Json.parse(expected));
  }

  @ParameterizedTest
  @Tag("R12")
  @CsvSource({"overwrite, [kept]", "any, [kept]", "ephemeral, []", "token, [kept]"})
  void a_value_lasts_as_long_as_its_reducer_says(String reducer, String seen) throws Exception {
    assertThat(bench.value(LATER.formatted(reducer), "first", Map.of())).isEqualTo("[kept]");
    var end = bench.value(LATER.formatted(reducer), "second", Map.of());
    assertThat(end).isEqualTo(seen);
  }

  private static final String LATER =
      """
      graph g {
        channel x %s of text
        channel first overwrite of text
        channel second overwrite of text
        start a
        node a { kind function function "a" command { goto b update { x "kept" } } }
        node b { model "m" prompt "[{x}]" into first next c }
        node c { model "m" prompt "[{x}]" into second }
      }
      """;

  {
    bench.model(
        "m",
        dev.superstep.model.ScriptedModel.by(request -> {
          var text = request.messages().getLast().text();
          return dev.superstep.model.ScriptedModel.text(text);
        }));
  }

  @Test
  @Tag("R12")
  void an_untracked_value_is_seen_by_the_nodes_that_follow_and_not_exported() throws Exception {
    var graph =
        bench.graph(
            """
            graph g {
              channel x untracked of text
              channel y overwrite of text
              start a
              node a { kind function function "a" command { goto b update { x "here" } } }
              node b { model "m" prompt "{x}" into y }
            }
            """);
    var end = Bench.run(graph, Map.of(), dev.superstep.graph.RunOptions.defaults());
    assertThat(graph.export(end)).isEqualTo(Json.parse("{\"y\":\"here\"}"));
  }

  @Test
  @Tag("R12")
  void a_topic_holds_what_the_last_superstep_wrote() throws Exception {
    var seen =
        bench.value(
            """
            graph g {
              channel x topic of int
              channel y overwrite of text
              start [a, b]
              node a { kind function function "a" command { update { x 1 } } }
              node b { kind function function "b" command { goto c update { x 2 } } }
              node c { model "m" prompt "{x}" into y }
            }
            """,
            "y");
    assertThat(seen).isEqualTo("[1,2]");
  }

  @Test
  void a_registered_constant_is_the_channel_that_its_name_declares() throws Exception {
    var score = Channel.latest("score", Integer.class);
    bench.channel(score).function("rate", (_, _) -> Update.of(score, 3));
    var text =
        "graph g { channel score overwrite start rate node rate { kind function function \"rate\" }"
            + " }";
    assertThat(bench.value(text, "score")).isEqualTo(3);
    var other = bench.program(text.replace("overwrite", "append"));
    assertThat(other.text())
        .contains("error[E-rag-unfit-component]", "is registered as `score: latest Integer`");
  }

  record Finding(String id, String text) {}

  @Test
  void a_registered_type_is_the_type_of_a_channel() throws Exception {
    bench.type("finding", Finding.class);
    var text =
        """
        graph g {
          channel x append of finding
          start a
          node a { kind function function "a" command { update { x { id "1" text "hm" } } } }
        }
        """;
    assertThat(bench.value(text, "x")).isEqualTo(java.util.List.of(new Finding("1", "hm")));
    var wrong = bench.program(text.replace("text \"hm\"", "text [1]"));
    assertThat(wrong.isValid()).isFalse();
    assertThat(wrong.text()).contains("desk.rag:4").doesNotContain("dev.superstep");
  }
}
