package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.shell.ShellScript;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Commands of many parts are judged, and refused to be judged beyond a length, without a long
/// wait. The timeout is far beyond what is needed: a time that grew with the square would pass it.
@Tag("C17")
@Timeout(60)
class LongCommandsTest {
  private static final List<String> PIECES =
      List.of(
          "ls | ",
          "ls; ",
          "ls && ",
          "sudo ",
          "aaa ",
          "x+=aaaaaaaa; ",
          "x=$x$x; ",
          "echo a b c | xargs ",
          "$(ls) ",
          "`ls` ",
          "> f ",
          "f() { ls; }; ",
          "find . -name a -o ",
          "{a,b}",
          "cat <<E\nx\nE\n",
          "printf '%s' a | ");

  @Test
  void a_command_of_more_than_can_be_read_is_high_and_says_so() {
    var command = "ls | ".repeat(60_000) + "ls";
    var risk = CommandLists.assess(command);
    assertThat(risk.level()).isEqualTo(RiskLevel.HIGH);
    assertThat(risk.findings())
        .anySatisfy(finding -> {
          assertThat(finding.code()).isEqualTo("too-long");
          assertThat(finding.reason()).contains("300002 characters", "32768", "into a script");
        });
  }

  @Test
  void the_longest_commands_that_are_judged_take_no_long_time() {
    var judged = new AtomicInteger();
    for (var piece : PIECES) {
      var command = piece.repeat(RiskAssessor.LENGTH_MAX / piece.length());
      var risk = RiskAssessor.standard().assess(ShellScript.parse(command), CommandLists.CONTEXT);
      assertThat(risk.findings()).noneMatch(finding -> finding.code().equals("too-long"));
      judged.incrementAndGet();
    }
    assertThat(judged).hasValue(PIECES.size());
  }

  @Test
  void what_is_dangerous_behind_much_that_is_harmless_is_still_found() {
    assertThat(CommandLists.assess("ls; ".repeat(3_000) + "rm -rf /").level())
        .isEqualTo(RiskLevel.FORBIDDEN);
    assertThat(CommandLists.assess("ls; ".repeat(8_000) + "rm -rf /").level())
        .isEqualTo(RiskLevel.HIGH);
  }
}
