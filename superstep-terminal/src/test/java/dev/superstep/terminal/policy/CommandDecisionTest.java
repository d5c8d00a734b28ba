package dev.superstep.terminal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.policy.CommandDecision.Allow;
import dev.superstep.terminal.policy.CommandDecision.Cause;
import dev.superstep.terminal.policy.CommandDecision.Confirm;
import dev.superstep.terminal.policy.CommandDecision.Deny;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Rules, danger and the machine decide together; the strictest wins, and no tier is left out in
/// silence.
@Tag("C17")
@Tag("C30")
class CommandDecisionTest {
  private static final CommandRules RULES =
      Decisions.rules(
          """
          [[rule]]
          pattern = ["git", ["status", "log"]]
          options = ["any"]
          decision = "allow"

          [[rule]]
          pattern = ["git", "push"]
          decision = "deny"
          justification = "Releases are made by CI"
          match = ["git -C x push", "git --no-pager push origin main"]
          not_match = ["git log push"]

          [[rule]]
          pattern = ["rm"]
          options = ["-r", "-R", "--recursive"]
          decision = "confirm"
          match = ["rm -rf x", "rm --recursive x"]
          not_match = ["rm x", "rm -f x"]

          [[rule]]
          pattern = ["ls"]
          decision = "allow"
          expires = 2026-01-01T00:00:00Z
          """);

  private static CommandDecision decide(String command, RiskLevel level, Set<Tier> tiers) {
    var context = DecisionContext.of(tiers, Decisions.NOW);
    return RULES.decide(ShellScript.parse(command), Decisions.of(level), context);
  }

  @Test
  void a_command_without_a_rule_is_asked_about() {
    assertThat(Decisions.decide(RULES, "whoami", RiskLevel.LOW)).isInstanceOf(Confirm.class);
  }

  @Test
  void the_strictest_rule_wins_over_a_compound_command() {
    var decision = Decisions.decide(RULES, "git status && git push", RiskLevel.LOW);
    assertThat(decision)
        .isInstanceOfSatisfying(
            Deny.class,
            deny -> {
              assertThat(deny.cause()).isEqualTo(Cause.RULE);
              assertThat(deny.reasons().getFirst())
                  .contains("rules.toml:6", "Releases are made by CI");
            });
    assertThat(Decisions.decide(RULES, "git status; rm -rf x", RiskLevel.LOW))
        .isInstanceOf(Confirm.class);
    assertThat(Decisions.decide(RULES, "git status | whoami", RiskLevel.LOW))
        .isInstanceOf(Confirm.class);
  }

  @Test
  void a_rule_that_denies_is_found_through_paths_wrappers_and_substitutions() {
    for (var command :
        List.of(
            "/usr/bin/git push",
            "sudo git push",
            "env A=1 git push",
            "echo $(git push)",
            "sh -c 'git push'",
            "nohup git push &",
            "if true; then git push; fi",
            "find . -exec git push ;",
            "timeout 5 git push")) {
      assertThat(Decisions.decide(RULES, command)).as(command).isInstanceOf(Deny.class);
    }
    assertThat(Decisions.decide(RULES, "git $x", RiskLevel.LOW)).isInstanceOf(Confirm.class);
  }

  @Test
  void a_rule_whose_time_is_over_allows_nothing_and_is_named() {
    var script = ShellScript.parse("ls");
    var why = RULES.why(script, Decisions.blind(), Decisions.CONTEXT);
    assertThat(why.decision()).isInstanceOf(Confirm.class);
    assertThat(why.over()).hasSize(1);
  }

  @Test
  void the_tier_follows_the_danger() {
    var all = EnumSet.allOf(Tier.class);
    assertThat(decide("git status", RiskLevel.LOW, all))
        .isInstanceOfSatisfying(
            Allow.class, a -> assertThat(a.confinement().tier()).isEqualTo(Tier.LANDLOCK));
    assertThat(decide("git status", RiskLevel.MEDIUM, all))
        .isInstanceOfSatisfying(
            Allow.class, a -> assertThat(a.confinement().tier()).isEqualTo(Tier.BUBBLEWRAP));
    assertThat(decide("git status", RiskLevel.HIGH, all))
        .isInstanceOfSatisfying(
            Confirm.class,
            c -> {
              assertThat(c.confinement().tier()).isEqualTo(Tier.BUBBLEWRAP);
              assertThat(c.approval()).isEqualTo(new ApprovalInput.Typed("git"));
            });
  }

  @Test
  void without_bubblewrap_the_gap_is_named_and_high_is_typed_in_full() {
    var some = EnumSet.of(Tier.PROCESS, Tier.LANDLOCK);
    assertThat(decide("git status", RiskLevel.LOW, some)).isInstanceOf(Allow.class);
    assertThat(decide("git status", RiskLevel.MEDIUM, some))
        .isInstanceOfSatisfying(
            Confirm.class,
            c -> {
              assertThat(c.confinement()).isEqualTo(new Confinement(Tier.LANDLOCK, false, true));
              assertThat(String.join(" ", c.reasons())).contains("Without bubblewrap");
            });
    assertThat(decide("git  status", RiskLevel.HIGH, some))
        .isInstanceOfSatisfying(
            Confirm.class,
            c -> {
              var typed = (ApprovalInput.Typed) c.approval();
              assertThat(typed.isGivenBy("git")).isFalse();
              assertThat(typed.isGivenBy(" git status ")).isTrue();
            });
    assertThat(decide("git\u200b status", RiskLevel.HIGH, some))
        .isInstanceOfSatisfying(
            Deny.class, d -> assertThat(d.cause()).isEqualTo(Cause.NOT_TYPABLE));
  }

  @Test
  void without_any_sandbox_everything_is_typed() {
    var none = EnumSet.of(Tier.PROCESS);
    for (var level : List.of(RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH)) {
      assertThat(decide("git status", level, none))
          .isInstanceOfSatisfying(
              Confirm.class, c -> assertThat(c.approval()).isInstanceOf(ApprovalInput.Typed.class));
    }
  }

  @Test
  void what_is_forbidden_is_denied_whatever_allows_it() {
    var context = Decisions.CONTEXT.maxRisk(RiskLevel.MEDIUM);
    var decision =
        RULES.decide(ShellScript.parse("git status"), Decisions.of(RiskLevel.FORBIDDEN), context);
    assertThat(decision)
        .isInstanceOfSatisfying(Deny.class, d -> assertThat(d.cause()).isEqualTo(Cause.FORBIDDEN));
  }

  @Test
  void a_limit_of_danger_lets_through_what_is_below_it_but_no_rule_that_asks() {
    var context = Decisions.CONTEXT.maxRisk(RiskLevel.LOW);
    var script = ShellScript.parse("whoami");
    assertThat(RULES.decide(script, Decisions.of(RiskLevel.LOW), context))
        .isInstanceOf(Allow.class);
    assertThat(RULES.decide(script, Decisions.of(RiskLevel.MEDIUM), context))
        .isInstanceOf(Confirm.class);
    assertThat(RULES.decide(ShellScript.parse("rm -r x"), Decisions.of(RiskLevel.LOW), context))
        .isInstanceOf(Confirm.class);
  }

  @Test
  void where_nobody_can_be_asked_a_question_is_a_refusal() {
    var decision =
        RULES.decide(
            ShellScript.parse("whoami"),
            Decisions.of(RiskLevel.LOW),
            Decisions.CONTEXT.withoutPerson());
    assertThat(decision)
        .isInstanceOfSatisfying(
            Deny.class, d -> assertThat(d.cause()).isEqualTo(Cause.NOBODY_TO_ASK));
  }

  @Test
  void after_text_of_strangers_only_what_reads_runs_unasked_and_writes_nowhere() {
    var rules =
        Decisions.rules(
            """
            [[rule]]
            pattern = [["cat", "touch", "mkdir"]]
            decision = "allow"
            """);
    var context = Decisions.CONTEXT.followsUntrusted("output of step 3");
    var reading = ShellScript.parse("cat a.txt");
    assertThat(rules.decide(reading, Decisions.risk(reading), context))
        .isInstanceOfSatisfying(
            Allow.class, a -> assertThat(a.confinement().isReadOnly()).isTrue());
    for (var command : List.of("touch a.txt", "mkdir b", "cat a.txt | touch b")) {
      var script = ShellScript.parse(command);
      assertThat(rules.decide(script, Decisions.risk(script), context))
          .as(command)
          .isInstanceOfSatisfying(
              Confirm.class,
              c -> assertThat(String.join(" ", c.reasons())).contains("output of step 3"));
    }
  }

  @Test
  void a_rule_can_name_where_its_program_is() {
    var rules =
        Decisions.rules(
            """
            [[rule]]
            pattern = ["git", "status"]
            programs = ["/usr/bin/git"]
            decision = "allow"
            match = ["git status", "/usr/bin/git status"]
            not_match = ["/tmp/git status", "./git status", "/usr/bin/../../tmp/git status"]
            """);
    var script = ShellScript.parse("git status");
    var at = Decisions.CONTEXT;
    var low = Decisions.blind();
    assertThat(rules.decide(script, low, at.programs(_ -> Optional.of(Path.of("/usr/bin/git")))))
        .isInstanceOf(Allow.class);
    assertThat(rules.decide(script, low, at.programs(_ -> Optional.of(Path.of("/tmp/git")))))
        .isInstanceOf(Confirm.class);
    assertThat(rules.decide(script, low, at)).isInstanceOf(Confirm.class);
  }
}
