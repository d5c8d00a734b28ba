package dev.superstep.terminal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The reasons of a decision, as text and as JSON.
@Tag("C17")
class PolicyExplanationTest {
  private static final CommandRules RULES =
      Decisions.rules(
          """
          [[rule]]
          pattern = ["git", "status"]
          decision = "allow"
          justification = "It reads"
          """);

  private static PolicyExplanation why(String command, RiskLevel level) {
    return RULES.why(ShellScript.parse(command), Decisions.of(level), Decisions.CONTEXT);
  }

  @Test
  void the_text_names_danger_decision_reasons_and_rules() {
    assertThat(why("git status", RiskLevel.LOW).text())
        .isEqualTo(
            """
            command    git status
            danger     low
            decision   allow, in T1
            because    Rule rules.toml:1 says allow: It reads
            because    It is a test.
            finding    low, process/system: `g` It is a test.
            rule       rules.toml:1 allow: It reads
            """);
    assertThat(why("rm \u202ex\u001b[2J", RiskLevel.HIGH).text())
        .contains("command    rm <U+202E>x<U+001B>[2J\n", "confirm by typing `rm`, in T2");
  }

  @Test
  void the_json_has_the_same_with_places() {
    assertThat(why("git status", RiskLevel.LOW).json().text())
        .isEqualTo(
            "{\"command\":\"git status\",\"danger\":\"low\",\"decision\":{\"kind\":\"allow\","
                + "\"tier\":1,\"readOnly\":false,\"reasons\":[\"Rule rules.toml:1 says allow: It"
                + " reads\",\"It is a test.\"]},\"findings\":[{\"axis\":\"process/system\","
                + "\"danger\":\"low\",\"code\":\"test\",\"start\":0,\"end\":1,\"reason\":\"It is a"
                + " test.\"}],\"facts\":[],\"rules\":[{\"file\":\"rules.toml\",\"line\":1,"
                + "\"scope\":\"user\",\"decision\":\"allow\",\"justification\":\"It reads\"}],"
                + "\"expired\":[]}");
  }
}
