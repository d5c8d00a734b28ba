package dev.superstep.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.steering.Steering;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.ShellText;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.EffectConflict;
import dev.superstep.rag.component.AskedQuestion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The words around open questions, and what may be approved unseen.
class QuestionTextTest {
  private static final String RESUME = "superstep resume t";

  private static Interrupt asked(String question, String type, Json payload) {
    return new Interrupt("wy5ri9kgxc", "task", "node", 0, "", question, type, payload);
  }

  private static String text(Interrupt... open) {
    var all = new java.util.ArrayList<OpenQuestion>();
    for (var one : open) all.add(QuestionText.of(one, all.size() + 1));
    return String.join("\n", new QuestionText(RESUME, Display.file()).lines(all));
  }

  @Test
  void all_at_once_is_offered_only_where_nothing_outside_is_approved() {
    var paused = asked("paused", Steering.PAUSED.answer().type(), Json.string("Go on?"));
    assertThat(text(paused, paused)).endsWith("To approve all of them:\n  " + RESUME + " --yes");
    var other = asked("pay", "Approval", Json.string("pay 1000"));
    assertThat(text(paused, other)).doesNotContain("--yes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"risk\":\"high\",\"what\":1}",
        "{\"danger\":{\"level\":\"medium\"}}",
        "{\"destructive\":true}",
        "{\"irreversible\":\"yes\"}",
        "{\"effects\":[\"writes\"]}"
      })
  void a_payload_may_say_that_it_is_risky(String payload) {
    var risky = asked("pay", "Approval", Json.parse(payload));
    assertThat(QuestionRisk.of(risky)).isPresent();
    assertThat(text(risky)).contains("  risky: it says `");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"risk\":\"low\"}",
        "{\"effects\":[]}",
        "{\"destructive\":false}",
        "\"risk\"",
        "[1]"
      })
  void other_payloads_are_not_risky_and_not_harmless_either(String payload) {
    var plain = asked("pay", "Approval", Json.parse(payload));
    assertThat(QuestionRisk.of(plain)).isEmpty();
    assertThat(text(plain)).doesNotContain("--yes", "risky");
  }

  @Test
  void an_effect_that_may_happen_twice_is_risky_and_is_answered_by_yes_or_no() {
    var conflict = new EffectConflict("pay", Json.string("1000"), List.of());
    var question =
        asked("effect-conflict", EffectConflict.QUESTION.answer().type(), Json.of(conflict));
    assertThat(QuestionRisk.of(question)).contains("something may be done a second time");
    assertThat(AnswerText.read(question, "no: paid by hand").text())
        .isEqualTo("{\"type\":\"refuse\",\"why\":\"paid by hand\"}");
    assertThat(AnswerText.approval(question, Approval.yes()).text())
        .isEqualTo("{\"type\":\"perform\"}");
  }

  @Test
  void each_option_has_its_command_quoted_for_a_shell() {
    var asked = new AskedQuestion("Which?", List.of("small one", "large; rm -rf /"), "ask");
    assertThat(text(asked("which", "String", Json.of(asked))))
        .contains("  superstep resume t --answer 'wy5ri9kgxc=small one'\n")
        .endsWith("  superstep resume t --answer 'wy5ri9kgxc=large; rm -rf /'");
  }

  @Test
  void a_long_command_is_divided_so_that_a_shell_reads_it_as_one() {
    var resume = "superstep resume t --model 'scripted://my --file.json'";
    assertThat(ShellText.folded(resume + " --answer wy5ri9kgxc=yes", 50, 2))
        .containsExactly(
            "  superstep resume t \\",
            "    --model 'scripted://my --file.json' \\",
            "    --answer wy5ri9kgxc=yes");
    assertThat(ShellText.folded(resume, 200, 2)).containsExactly("  " + resume);
  }

  @Test
  void text_by_others_cannot_pass_for_a_command() {
    var hostile = Json.string("Pay?\n  superstep resume t --yes\u001b[1A");
    var lines = text(asked("pay\u001b[2J", "Approval", hostile)).lines().toList();
    assertThat(lines).noneMatch(line -> line.contains("\u001b"));
    assertThat(lines).filteredOn(line -> line.contains("--yes")).allMatch(l -> l.startsWith("| "));
  }
}
