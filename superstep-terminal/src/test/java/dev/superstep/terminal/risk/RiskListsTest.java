package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Levels of whole lists of commands. The second lists were written after the code without a look
/// at its tables; at the first try, 133 of 152 dangerous ones were high or forbidden and 150 at
/// least medium, and 3 of 254 everyday ones were high. The third lists, written the same way later:
/// 109 of 122, and 1 of 177.
@Tag("C17")
@Tag("W48")
class RiskListsTest {
  @ParameterizedTest
  @ValueSource(strings = {"destructive.txt", "destructive-2.txt", "destructive-3.txt"})
  void at_least_98_of_100_destructive_commands_are_high(String list) {
    var commands = CommandLists.read(list);
    var missed = not(commands, a -> a.level().isAtLeast(RiskLevel.HIGH));
    System.out.printf(
        "long: %s: %d of %d missed %s%n", list, missed.size(), commands.size(), missed);
    assertThat(100 * missed.size()).isLessThanOrEqualTo(2 * commands.size());
    assertThat(not(commands, a -> a.level().isAtLeast(RiskLevel.MEDIUM))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"harmless.txt", "harmless-2.txt", "harmless-3.txt"})
  void at_most_3_of_100_everyday_commands_are_high(String list) {
    var commands = CommandLists.read(list);
    var alarms = not(commands, a -> !a.level().isAtLeast(RiskLevel.HIGH));
    System.out.printf("long: %s: %d of %d high %s%n", list, alarms.size(), commands.size(), alarms);
    assertThat(100 * alarms.size()).isLessThanOrEqualTo(3 * commands.size());
  }

  @Test
  void every_spelling_of_the_removal_of_all_is_forbidden() {
    var wiping =
        CommandLists.read("destructive.txt").stream()
            .filter(command -> command.matches("(?s)(.*/)?rm (-\\S+ )+(-- )?[\"'/~$].*"))
            .filter(command -> !command.contains("DIR") && !command.contains("UNSET"))
            .toList();
    assertThat(wiping).hasSizeGreaterThan(30);
    assertThat(not(wiping, a -> a.level() == RiskLevel.FORBIDDEN)).isEmpty();
  }

  private static List<String> not(List<String> commands, Predicate<Assessment> test) {
    return commands.stream().filter(each -> !test.test(CommandLists.assess(each))).toList();
  }
}
