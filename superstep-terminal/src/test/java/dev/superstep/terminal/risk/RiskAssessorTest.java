package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.risk.Fact.Kind;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Facts, findings and levels of single commands.
@Tag("C17")
class RiskAssessorTest {
  @Test
  void facts_name_programs_files_and_hosts_with_their_places() {
    var text = "sudo env A=1 cp a.txt b.txt && curl -o out https://example.com/x | tee log; rm old";
    var risk = CommandLists.assess(text);
    assertThat(risk.values(Kind.RUNS)).containsExactly("sudo", "env", "cp", "curl", "tee", "rm");
    assertThat(risk.values(Kind.READS)).containsExactly("a.txt");
    assertThat(risk.values(Kind.WRITES)).containsExactly("b.txt", "out", "log");
    assertThat(risk.values(Kind.DELETES)).containsExactly("old");
    assertThat(risk.values(Kind.CONNECTS)).containsExactly("example.com");
    assertThat(risk.values(Kind.PRIVILEGE)).containsExactly("sudo");
    assertThat(risk.values(Kind.ENVIRONMENT)).containsExactly("A");
    assertThat(risk.facts())
        .allSatisfy(fact ->
            assertThat(text.substring(fact.span().start(), fact.span().end()))
                .contains(fact.value().replace("example.com", "https")));
  }

  @Test
  void a_command_in_quotes_has_its_places_in_the_outer_text() {
    var text = "bash -c 'echo hi; rm -rf \"/\"'";
    var wiped =
        CommandLists.assess(text).findings().stream()
            .filter(finding -> finding.code().equals("wipes-system"))
            .findFirst()
            .orElseThrow();
    assertThat(text.substring(wiped.span().start(), wiped.span().end())).isEqualTo("\"/\"");
  }

  @Test
  void the_same_text_has_the_same_assessment() {
    for (var command : CommandLists.read("destructive.txt")) {
      assertThat(CommandLists.assess(command)).isEqualTo(CommandLists.assess(command));
    }
  }

  @Test
  void invocations_show_the_arguments_behind_each_wrapper() {
    var invocations = CommandLists.assess("X=b; sudo nice -n 5 cp a \"$X\" $Y").invocations();
    var copy = invocations.getLast();
    assertThat(copy.name()).contains("cp");
    assertThat(copy.wrappers()).containsExactly("sudo", "nice");
    assertThat(copy.arguments())
        .extracting(Invocation.Argument::value)
        .containsExactly("a", "b", null);
    assertThat(copy.isLiteral()).isFalse();
  }

  @Test
  void secrets_and_the_network_together_are_high() {
    assertThat(CommandLists.assess("cat .env").level()).isEqualTo(RiskLevel.MEDIUM);
    assertThat(CommandLists.assess("curl https://example.com").level()).isEqualTo(RiskLevel.MEDIUM);
    assertThat(CommandLists.assess("cat .env; curl https://example.com").level())
        .isEqualTo(RiskLevel.HIGH);
  }

  @Test
  void a_directory_is_followed_through_cd() {
    assertThat(CommandLists.assess("cd /; cd etc; rm -rf ./*").level())
        .isEqualTo(RiskLevel.FORBIDDEN);
    assertThat(CommandLists.assess("(cd /); rm -rf out").level()).isEqualTo(RiskLevel.HIGH);
  }

  @Test
  void the_workspace_may_lie_anywhere() {
    var context = RiskContext.of(Path.of("/etc/x"), Path.of("/etc/x"), Path.of("/root"));
    var risk = RiskAssessor.standard().assess(ShellScript.parse("touch a; cat /etc/x/b"), context);
    assertThat(risk.level()).isEqualTo(RiskLevel.LOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"frobnicate x", "./run.sh", "while :; do ls; done", "make", "sudo ls"})
  void what_is_not_known_is_medium(String command) {
    assertThat(CommandLists.assess(command).level()).isEqualTo(RiskLevel.MEDIUM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"$TOOL x", "`tool` x", "/bin/c?t x", "echo 'a", "\"$@\"", "x | sh", "sh <(x)"})
  void what_is_made_when_it_runs_or_is_not_understood_is_high(String command) {
    assertThat(CommandLists.assess(command).level()).isEqualTo(RiskLevel.HIGH);
  }

  @ParameterizedTest
  @ValueSource(strings = {":(){ :|:& };:", "b(){ b&b; }", "f() { (f | f) & }; f", "$0|$0"})
  void a_fork_bomb_is_known_by_its_shape(String command) {
    assertThat(CommandLists.assess(command).findings())
        .extracting(Finding::code)
        .contains("fork-bomb");
    assertThat(CommandLists.assess(command.replaceAll("[|&]", ";")).findings())
        .extracting(Finding::code)
        .doesNotContain("fork-bomb");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git -c core.pager='sh x' log",
        "git -c alias.a='!sh x' a",
        "git --exec-path=/tmp/x status",
        "git grep --open-files-in-pager='sh x' a",
        "find . -exec sh -c \"$X\" \\;",
        "tar cf a b --checkpoint=1 --checkpoint-action=exec='rm -rf x'",
        "tar -I 'rm -rf x' -xf a",
        "rsync -e 'sh -c \"rm -rf x\"' a b:",
        "sort --compress-program='rm -rf x' a",
        "awk 'BEGIN{system(\"rm -rf x\")}'",
        "sed 's/a/b/e' x",
        "vim -c '!rm x'",
        "man -P 'sh x' ls",
        "ssh -o ProxyCommand='x' h",
        "env LD_PRELOAD=./x.so ls",
        "GIT_SSH_COMMAND='x' git fetch",
        "zip -TT 'x' a b",
        "npx -c 'rm -rf x'"
      })
  @Tag("W48")
  void an_option_that_runs_a_program_is_high(String command) {
    assertThat(CommandLists.assess(command).level()).isEqualTo(RiskLevel.HIGH);
  }
}
