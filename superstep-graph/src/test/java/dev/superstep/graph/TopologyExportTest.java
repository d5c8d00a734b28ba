package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.TopologyDiff;
import dev.superstep.topology.TopologyTooDeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T104")
class TopologyExportTest {
  // Every line that a drawing may have. Between quotes there is nothing that ends them.
  private static final String MERMAID_TEXT = "\"(?:[^\"#&<>\\[\\]{}|%`\\\\;]|#\\d+;)+\"";
  private static final Pattern MERMAID_LINE =
      Pattern.compile(
          String.join(
                  "|",
                  "flowchart TD",
                  " *end",
                  " *subgraph \\w+\\[TEXT]",
                  " *\\w+\\(\\((?:start|end)\\)\\)",
                  " *\\w+(?:\\[TEXT]|\\[\\[TEXT]]|\\[/TEXT/]|>TEXT])",
                  " *\\w+\\{\\{(?:all|any|-?\\d+ of \\d+)}}",
                  " *\\w+ (?:-->|-\\.->|-\\. [a-z ]+ \\.->|== each ==>|-\\.->\\|TEXT\\|) \\w+")
              .replace("TEXT", MERMAID_TEXT));
  private static final String DOT_TEXT = "\"(?:[^\"\\\\]|\\\\[\\\\\"])*\"";
  private static final Pattern DOT_LINE =
      Pattern.compile(
          String.join(
                  "|",
                  "digraph TEXT \\{",
                  " *}",
                  " *compound=true",
                  " *subgraph \\w+ \\{",
                  " *label=TEXT",
                  " *\\w+(?: -> \\w+)?(?: \\[LOOK(?:, LOOK)*])?")
              .replace("LOOK", "(?:label=TEXT|\\w+=\\w+)")
              .replace("TEXT", DOT_TEXT));

  @Test
  void the_drawing_covers_every_kind_of_edge() {
    assertThat(Shapes.everything().edges().stream().map(Topology.EdgeShape::kind))
        .contains(EdgeKind.values());
  }

  @Test
  void the_mermaid_chart_of_everything() throws Exception {
    GoldenText.check("everything.mmd", Shapes.everything().mermaid());
  }

  @Test
  void the_dot_chart_of_everything() throws Exception {
    GoldenText.check("everything.dot", Shapes.everything().dot());
  }

  @Test
  void no_name_can_break_out_of_a_drawing() {
    var all = new ArrayList<Topology>(List.of(Shapes.everything()));
    var random = new Random(104);
    for (int i = 0; i < 300; i++) all.add(Shapes.random(random, 2));
    for (var topology : all) {
      assertThat(topology.mermaid().lines()).allMatch(MERMAID_LINE.asMatchPredicate());
      assertThat(topology.dot().lines()).allMatch(DOT_LINE.asMatchPredicate());
    }
  }

  @Test
  void topologies_come_back_from_json_equal_and_with_the_same_hash() {
    var random = new Random(7);
    for (int i = 0; i < 300; i++) {
      var topology = Shapes.random(random, 3);
      var back = Topology.parse(Json.parse(topology.json().text()));
      assertThat(back).isEqualTo(topology);
      assertThat(back.hash()).isEqualTo(topology.hash());
      assertThat(back.mermaid()).isEqualTo(topology.mermaid());
      assertThat(back.dot()).isEqualTo(topology.dot());
    }
    assertThat(Topology.parse(Shapes.everything().json())).isEqualTo(Shapes.everything());
  }

  @Test
  void nothing_in_a_topology_may_be_null() {
    var good = TopologyTest.all().compile().topology().json().text();
    for (var part :
        List.of(
            "\"graph\":\"all edges\"",
            "\"name\":\"notes\"",
            "\"type\":\"Long\"",
            "\"argument\":\"String\"",
            "\"gate\":[]",
            "\"deferred\":false",
            "\"kind\":\"SENT\"",
            "\"from\":[\"__start__\"]",
            "\"to\":\"merge\"",
            "\"label\":\"\"",
            "\"needs\":2")) {
      var broken = good.replaceFirst(Pattern.quote(part), part.replaceAll(":.*", ":null"));
      assertThat(broken).isNotEqualTo(good);
      assertThatExceptionOfType(MalformedJson.class)
          .as(part)
          .isThrownBy(() -> Topology.parse(Json.unchecked(broken)));
    }
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(
            () -> Topology.parse(Json.unchecked(good.replace("\"gate\":[]", "\"gate\":[null]"))));
  }

  @Test
  void a_topology_as_deep_as_is_allowed_can_be_drawn_compared_and_read_back() {
    var deep = Shapes.nested(128);
    assertThat(Topology.parse(Json.parse(deep.json().text())).hash()).isEqualTo(deep.hash());
    assertThat(deep.mermaid().lines().filter(line -> line.contains("subgraph"))).hasSize(127);
    assertThat(deep.dot().lines().filter(line -> line.contains("subgraph"))).hasSize(127);
    assertThat(TopologyDiff.between(deep, deep).isEmpty()).isTrue();
    assertThat(TopologyDiff.between(deep, Shapes.nested(127)).changes().getFirst().path())
        .hasSize(126);
  }

  @Test
  void a_deeper_one_is_refused_by_name() {
    var deep = Shapes.nested(1_000);
    for (var use :
        List.<Runnable>of(
            deep::mermaid,
            deep::dot,
            deep::json,
            deep::hash,
            () -> TopologyDiff.between(deep, Shapes.everything()),
            () -> TopologyDiff.between(Shapes.everything(), deep))) {
      assertThatExceptionOfType(TopologyTooDeep.class)
          .isThrownBy(use::run)
          .satisfies(e -> {
            assertThat(e.code()).isEqualTo("graph.topology-too-deep");
            assertThat(e.graph()).isEqualTo("g");
            assertThat(e.limit()).isEqualTo(128);
          })
          .withMessage(
              "Graph `g` holds graphs inside of each other more than 128 levels deep. Flatten the"
                  + " nesting.");
    }
  }

  @Test
  void json_that_nests_a_thousand_levels_is_malformed() {
    var open =
        "{\"graph\":\"g\",\"channels\":[],\"nodes\":[{\"name\":\"n\",\"argument\":\"\","
            + "\"deferred\":false,\"gate\":[],\"inside\":";
    var close = "}],\"edges\":[]}";
    var text = open.repeat(1_000) + "null" + close.repeat(1_000);
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> Json.parse(text));
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> Topology.parse(Json.unchecked(text)));
    var two = Json.unchecked(open.repeat(2) + "null" + close.repeat(2));
    assertThat(Topology.parse(two).nodes().getFirst().inside()).isPresent();
  }
}
