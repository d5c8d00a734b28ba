package dev.superstep.terminal.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.VisibleText;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.DecisionContext;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sixty sequences that terminals act upon, in every field that is shown: nothing of them is left.
@Tag("C37")
class ControlSequencesTest {
  private static final InjectionFilter FILTER = InjectionFilter.standard();
  private static final String E = "\u001b";

  private static final List<String> SEQUENCES =
      List.of(
          E + "[2J",
          E + "[H",
          E + "[6n",
          E + "[c",
          E + "[>c",
          E + "[5n",
          E + "[1A",
          E + "[1G",
          E + "[K",
          E + "[8m",
          E + "[30;40m",
          E + "[?25l",
          E + "[?1049h",
          E + "[?2004l",
          E + "[?1000h",
          E + "[20t",
          E + "[21t",
          E + "[!p",
          E + "c",
          E + "7",
          E + "8",
          E + "D",
          E + "M",
          E + "(0",
          E + "#8",
          E + "=",
          E + "Z",
          E + "]0;t\u0007",
          E + "]2;t" + E + "\\",
          E + "]8;;https://e.example" + E + "\\x" + E + "]8;;" + E + "\\",
          E + "]52;c;ZXZpbA==\u0007",
          E + "]4;1;?\u0007",
          E + "]10;?\u0007",
          E + "]11;?\u0007",
          E + "]9;n\u0007",
          E + "]777;notify;a;b\u0007",
          E + "]1337;File=:AA\u0007",
          E + "P$qm" + E + "\\",
          E + "P+q544e" + E + "\\",
          E + "_Gi=1;AA" + E + "\\",
          E + "^x" + E + "\\",
          E + "Xx" + E + "\\",
          "\u009b2J",
          "\u009d0;t\u009c",
          "\u0090$qm\u009c",
          "\u0085",
          "\r",
          "\b\b",
          "\u0007",
          "\u000b",
          "\f",
          "\u000e\u000f",
          "\u007f",
          "\u0000",
          "\u202e",
          "\u2066",
          "\u200b",
          "\ufeff",
          "\u2028",
          "\udb40\udc41",
          "\ud800",
          "\u061c",
          "\u00ad",
          "\u2060");

  @Test
  void no_field_shows_anything_that_acts() {
    assertThat(SEQUENCES.size()).isGreaterThanOrEqualTo(60);
    for (var sequence : SEQUENCES) {
      var text = "a" + sequence + "b";
      var script = ShellScript.parse("echo " + text);
      var risk =
          RiskAssessor.standard()
              .assess(script, RiskContext.of(Path.of("/w"), Path.of("/w"), Path.of("/h")));
      var why = CommandRules.none().why(script, risk, DecisionContext.of(Set.of(), Instant.EPOCH));
      var fields =
          List.of(
              VisibleText.exact(text),
              VisibleText.exactLine(text),
              VisibleText.of(text),
              VisibleText.line(text),
              why.text(),
              new OutputFence(1000, new Random(1)).fence(text, "x"),
              new OutputFence(1000, new Random(1)).fence("x", text),
              VisibleText.line(FILTER.scan(text).toString()));
      for (var field : fields) assertHarmless(field);
    }
  }

  private static void assertHarmless(String shown) {
    assertThat(shown.codePoints().filter(ControlSequencesTest::acts)).as(shown).isEmpty();
  }

  private static boolean acts(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c != '\n' && c != '\t';
      case Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
