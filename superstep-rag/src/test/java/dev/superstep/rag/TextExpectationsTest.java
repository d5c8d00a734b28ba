package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.rag.testing.TextExpectations;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The expectations that tests can have of texts.
@Tag("R42")
class TextExpectationsTest {
  private static final String DESK =
      """
      // A desk.
      graph desk {
        start read
        node read { model "small" prompt "Read." }
        read -> ask
        node ask { kind interrupt prompt "Pay?" options ["yes", "no"] routes { yes -> pay no -> END } }
        node pay { kind function function "pay" }
      }
      """;

  private final TextExpectations desk = TextExpectations.of("desk.rag", DESK);

  @Test
  void what_a_node_is_and_where_it_leads_is_expected() {
    desk.isValid().isStableWhenFormatted();
    desk.node("read").isOfKind(NodeKind.MODEL).leadsTo("ask");
    desk.node("desk", "ask").leadsBy("yes", "pay").leadsBy("no", "END").leadsTo("pay", "END");
    desk.node("pay").isTerminal();
  }

  @Test
  void what_does_not_hold_is_an_assertion_error_that_says_what_is() {
    assertThatThrownBy(() -> desk.node("read").isOfKind(NodeKind.AGENT))
        .isInstanceOf(AssertionError.class)
        .hasMessage("node `read` of graph `desk` is of kind `model`, not `agent`");
    assertThatThrownBy(() -> desk.node("ask").leadsBy("yes", "END"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("node `ask` of graph `desk` leads by `yes` to `pay`, not to `END`");
    assertThatThrownBy(() -> desk.node("ask").leadsBy("maybe", "END"))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> desk.node("ask").isTerminal()).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> desk.node("read").leadsTo("pay")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> desk.node("reed"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("[read, ask, pay]");
  }

  @Test
  void findings_are_expected_by_code_and_line_or_as_a_whole() {
    var source = Source.of("desk.rag", DESK.replace("\"small\"", "\"smal\""));
    var names =
        Names.of(
            Map.of(
                dev.superstep.language.rag.Capability.MODELS,
                java.util.Set.of("small"),
                dev.superstep.language.rag.Capability.FUNCTIONS,
                java.util.Set.of("pay")));
    var wrong = TextExpectations.of(source, names, CheckPolicy.file("desk.rag"));
    wrong.hasFinding("E-rag-unknown-model", 4);
    assertThat(wrong.findings()).containsIgnoringCase("did you mean `small`");
    assertThatThrownBy(() -> wrong.hasFinding("E-rag-unknown-model", 5))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(wrong::isValid).isInstanceOf(AssertionError.class);
  }

  @Test
  void the_snapshot_of_blueprints_changes_exactly_with_the_meaning() {
    var laidOut =
        TextExpectations.of("desk.rag", DESK.replace("// A desk.\n", "").replace("  ", " "));
    assertThat(laidOut.blueprints()).isEqualTo(desk.blueprints());
    var other = TextExpectations.of("desk.rag", DESK.replace("Pay?", "Really?"));
    assertThat(other.blueprints()).isNotEqualTo(desk.blueprints()).contains("Really?");
  }
}
