package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.blueprint.BlueprintDiff;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two versions of a graph: what the new one may do more comes first.
@Tag("R35")
class DiffTest {
  private static final String GRAPH =
      """
      graph g {
        %s
        channel x overwrite
        start a
        node a { kind agent  model "%s"  system "%s"  %s }
      }
      """;

  private static BlueprintDiff diff(String old, String now) {
    return BlueprintDiff.of(
        Registered.compile(old).blueprints().getFirst(),
        Registered.compile(now).blueprints().getFirst());
  }

  private static String graph(String items, String more) {
    return GRAPH.formatted(items, "small", "Be brief.", more);
  }

  @Test
  void a_longer_list_of_what_is_allowed_is_wider_and_a_shorter_one_narrower() {
    var few = graph("allow tools [\"notify\"]", "");
    var many = graph("allow tools [\"notify\", \"refund\"]", "");
    var wider = diff(few, many);
    assertThat(wider.isWider()).isTrue();
    assertThat(wider.widened()).containsExactly("allow tools: `refund`");
    assertThat(wider.narrowed()).isEmpty();
    var narrower = diff(many, few);
    assertThat(narrower.isWider()).isFalse();
    assertThat(narrower.narrowed()).containsExactly("allow tools: `refund`");
    var none = diff(few, graph("", ""));
    assertThat(none.widened()).containsExactly("allow tools: every name");
    assertThat(diff(few, few.replace("notify", "refund")).widened())
        .containsExactly("allow tools: `refund`");
    assertThat(diff(few, few.replace("notify", "refund")).narrowed())
        .containsExactly("allow tools: `notify`");
  }

  @Test
  void a_higher_limit_or_none_is_wider_also_that_of_a_node() {
    var low = graph("limits { model_calls: 3 }", "limits { tool_calls: 2 }");
    var high = graph("limits { model_calls: 30 }", "");
    var diff = diff(low, high);
    assertThat(diff.widened())
        .containsExactly("limits: model_calls 30", "limits of node a: no tool_calls");
    assertThat(diff.isWider()).isTrue();
    assertThat(diff(high, low).widened()).isEmpty();
    assertThat(diff(high, low).narrowed()).hasSize(2);
  }

  @Test
  void added_capabilities_are_said_before_all_other_changes() {
    var old = graph("", "");
    var now = GRAPH.formatted("metadata { a: 1 }", "large", "Be long.", "tools [\"refund\"]");
    assertThat(diff(old, now).text())
        .startsWith(
            """
            may do more:
              + model `large`
              + tool `refund`
            may do less:
              - model `small`
            graph: metadata added
            """);
    assertThat(diff(old, now).json()).contains("\"wider\": true");
  }

  @Test
  void prompts_are_redacted_on_demand_and_still_differ() {
    var old = Registered.compile(graph("", "")).blueprints().getFirst();
    var now =
        Registered.compile(graph("", "").replace("Be brief.", "Be secret."))
            .blueprints()
            .getFirst();
    var open = BlueprintDiff.of(old, now).text();
    var closed = BlueprintDiff.redacted(old, now).text();
    assertThat(open).contains("Be brief.", "Be secret.");
    assertThat(closed)
        .doesNotContain("brief", "secret")
        .contains("(redacted: 9 characters, ", "(redacted: 10 characters, ");
    assertThat(BlueprintDiff.redacted(old, old).isEmpty()).isTrue();
  }
}
