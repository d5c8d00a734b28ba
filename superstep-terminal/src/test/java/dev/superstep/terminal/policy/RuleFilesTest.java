package dev.superstep.terminal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.terminal.policy.InvalidRules.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file of rules is read with all its problems, and its examples are run.
@Tag("C17")
class RuleFilesTest {
  @TempDir Path folder;

  private List<Problem> problems(String text, Scope scope) throws Exception {
    var file = Files.writeString(folder.resolve("rules.toml"), text);
    return CommandRules.check(file, scope).problems();
  }

  @Test
  void an_example_that_does_not_hold_is_an_error_with_its_place() throws Exception {
    var text =
        """
        [[rule]]
        pattern = ["git", "status"]
        decision = "allow"
        match = ["git status", "git log"]
        not_match = ["git push",
          "git status"]
        """;
    assertThat(problems(text, Scope.USER))
        .containsExactly(
            new Problem(4, 24, "the rule does not match `git log`"),
            new Problem(6, 3, "the rule matches `git status`"));
    assertThatThrownBy(() -> CommandRules.load(folder.resolve("rules.toml"), Scope.USER))
        .isInstanceOf(InvalidRules.class)
        .hasMessageContaining("rules.toml:4:24: the rule does not match `git log`");
  }

  @Test
  void all_mistakes_of_a_file_are_told_at_once() throws Exception {
    var text =
        """
        other = 1
        [[rule]]
        pattern = []
        decision = "maybe"
        [[rule]]
        pattern = ["ls", 3]
        options = ["l"]
        decision = "allow"
        programs = ["ls"]
        expires = "soon"
        colour = "red"
        """;
    assertThat(problems(text, Scope.USER))
        .extracting(p -> p.line() + " " + p.message())
        .contains(
            "1 unknown key `other`",
            "2 `pattern` must be a list that begins with the name of a program",
            "4 `decision` must be \"allow\", \"confirm\" or \"deny\"",
            "6 must be a word, or a list of words",
            "11 unknown key `colour`");
    assertThat(problems("[[rule]\n", Scope.USER)).isNotEmpty();
  }

  @Test
  void the_rules_of_a_project_cannot_allow() throws Exception {
    var text = "[[rule]]\npattern = [\"ls\"]\ndecision = \"allow\"\n";
    assertThat(problems(text, Scope.PROJECT))
        .containsExactly(new Problem(3, 1, "the rules of a project cannot allow anything"));
    assertThat(problems(text.replace("allow", "deny"), Scope.PROJECT)).isEmpty();
  }
}
