package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LongResultsTest {
  private static final String TABLE =
      """
      # Testing

      | part | test | date | commit | outcome | took | figures |
      |---|---|---|---|---|---|---|
      | kills | KillTest | 2026-11-23 | 0123456789 | 6 passed | 80 s |  |

      After it.
      """;

  @TempDir Path folder;

  private LongResults page(String text) throws Exception {
    return new LongResults(Files.writeString(folder.resolve("testing.md"), text));
  }

  private static LongResults.Result result(String test, String commit, String outcome) {
    return new LongResults.Result("kills", test, "2026-11-24", commit, outcome, "9 s", "a \\| b");
  }

  @Test
  void a_result_replaces_the_previous_one() throws Exception {
    var results = page(TABLE);
    results.put(result("KillTest", "abcdefabcd", "failed"));
    assertThat(Files.readString(folder.resolve("testing.md")))
        .contains("| kills | KillTest | 2026-11-24 | abcdefabcd | failed | 9 s | a \\| b |")
        .doesNotContain("0123456789")
        .endsWith("After it.\n");
    assertThat(results.find("kills", "KillTest").orElseThrow().hasPassed()).isFalse();
  }

  @Test
  void the_first_result_of_a_test_is_added_at_the_end_of_the_table() throws Exception {
    var results = page(TABLE);
    results.put(result("AgentKillTest", "abcdefabcd", "1 passed"));
    assertThat(Files.readString(folder.resolve("testing.md")))
        .contains("80 s |  |\n| kills | AgentKillTest |", "a \\| b |\n\nAfter it.");
  }

  @Test
  void a_result_counts_for_its_own_commit_and_never_for_a_changed_tree() throws Exception {
    var found = page(TABLE).find("kills", "KillTest").orElseThrow();
    assertThat(found.passedAt("0123456789")).isTrue();
    assertThat(found.passedAt("abcdefabcd")).isFalse();
    assertThat(result("KillTest", "0123456789+", "1 passed").passedAt("0123456789+")).isFalse();
  }

  @Test
  void a_page_without_the_table_is_refused() throws Exception {
    var results = page("# Testing\n");
    assertThatThrownBy(() -> results.find("kills", "KillTest"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no table");
  }

  @Test
  void the_parts_find_their_tests() {
    assertThat(names("kills")).contains("KillTest", "AgentKillTest");
    assertThat(names("cases")).contains("RandomGraphTest", "BudgetPropertyTest");
    assertThat(names("schedules")).contains("LeaseSchedulesTest", "HostQueueSchedulesTest");
    assertThat(names("fuzz")).contains("StoreFuzzTest");
    assertThat(names("times")).containsExactly("RegressionTest");
    assertThat(names("mutation"))
        .containsExactly("kernel", "folding", "leases", "budgets", "gates", "approvals");
  }

  @Test
  void nine_of_ten_mutations_must_be_killed_and_none_at_all_is_a_failure() {
    assertThat(LongTests.killed(90, 100)).isEqualTo("90 of 100 mutations killed");
    assertThat(LongTests.killed(89, 100)).isEqualTo("failed: 89 of 100 mutations killed");
    assertThat(LongTests.killed(0, 0)).startsWith("failed");
  }

  private static List<String> names(String part) {
    return LongPart.named(part).orElseThrow().runs().apply(Repository.ROOT).stream()
        .map(LongPart.Run::name)
        .toList();
  }
}
