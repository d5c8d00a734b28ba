package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever the text, there is a tree, an assessment and a kind, and no exception; what is not
/// understood is never less than high.
@Tag("C17")
@Timeout(900)
class ShellFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 500);
  private static final List<String> COMMANDS = commands();
  private static final List<String> TOKENS =
      List.of(
          "$(",
          "`",
          "\"",
          "'",
          "${",
          "}",
          "((",
          "))",
          "[[",
          "]]",
          "<<E\n",
          "\nE\n",
          "|",
          "&",
          "&&",
          ";",
          "\n",
          "\\",
          "{a,b}",
          "$IFS",
          "rm -rf /",
          "xargs ",
          "find . -exec ",
          "sudo ",
          "sh -c ",
          "eval ",
          "for x in ",
          "do ",
          "done",
          "if ",
          "then ",
          "fi",
          "case x in ",
          "esac",
          "a=(",
          "$'\\x",
          "*",
          "~",
          "\u202e",
          "\ud800",
          "\uffff",
          "\ufffe",
          "\0",
          "alias x='y'",
          "f(){ f|f& };f",
          "<(",
          "<<<",
          "awk 'BEGIN{system(",
          "git -c ",
          "printf '%s' ",
          "!(",
          "$[",
          "function ",
          "{",
          ",",
          "=~");

  @Test
  void random_characters_are_judged() throws InterruptedException {
    Property.check(21, CASES, ShellFuzzTest::characters, ShellFuzzTest::survives);
  }

  @Test
  void random_tokens_are_judged() throws InterruptedException {
    Property.check(
        22,
        CASES,
        choices -> String.join("", choices.list(60, c -> c.of(TOKENS))),
        ShellFuzzTest::survives);
  }

  @Test
  void changed_commands_are_judged() throws InterruptedException {
    Property.check(23, CASES, ShellFuzzTest::changed, ShellFuzzTest::survives);
  }

  private static List<String> commands() {
    var all = new ArrayList<String>();
    for (var name : List.of("destructive.txt", "harmless.txt", "sentences.txt")) {
      all.addAll(CommandLists.read(name));
    }
    return List.copyOf(all);
  }

  private static String characters(Choices choices) {
    var text = new StringBuilder();
    for (int i = choices.below(120); i > 0; i--) {
      text.append((char) (choices.chance(75) ? choices.between(9, 126) : choices.below(0x10000)));
    }
    return text.toString();
  }

  private static String changed(Choices choices) {
    var text = new StringBuilder(choices.of(COMMANDS));
    for (int i = choices.between(1, 8); i > 0 && !text.isEmpty(); i--) {
      int from = choices.below(text.length());
      int to = Math.min(text.length(), from + choices.below(30));
      switch (choices.below(4)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.insert(from, choices.of(TOKENS));
        case 2 -> text.insert(choices.below(text.length()), text.substring(from, to));
        default -> text.setCharAt(from, (char) choices.between(9, 126));
      }
    }
    return text.toString();
  }

  static void survives(String text) {
    var script = ShellScript.parse(text);
    var risk = RiskAssessor.standard().assess(script, CommandLists.CONTEXT);
    if (!script.isComplete()) assertThat(risk.level().isAtLeast(RiskLevel.HIGH)).isTrue();
    assertThat(risk.findings()).allMatch(f -> f.span().end() <= text.length());
    assertThat(risk.facts()).allMatch(f -> f.span().end() <= text.length());
    assertThat(risk.invocations()).allMatch(i -> i.span().end() <= text.length());
    var input = InputClassifier.standard().classify(text, name -> name.equals("ls"));
    assertThat(input.likely()).isNotEqualTo(InputKind.AMBIGUOUS);
  }
}
