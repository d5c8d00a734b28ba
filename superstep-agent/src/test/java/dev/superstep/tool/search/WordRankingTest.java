package dev.superstep.tool.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.ToolSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordRankingTest {
  private static final Json EMPTY = Json.parse("{\"type\":\"object\"}");
  private static final ToolSpec ISSUES =
      new ToolSpec("list_issues", "Lists the issues of a repository.", EMPTY);
  private static final ToolSpec MERGE =
      new ToolSpec(
          "merge_pull_request",
          "Merges a pull request of a repository.",
          Json.parse(
              "{\"type\":\"object\",\"properties\":{\"squashCommits\":{\"type\":\"boolean\"}}}"));
  private static final ToolSpec MAIL = new ToolSpec("send_mail", "Sends a mail.", EMPTY);
  private static final List<ToolSpec> ALL = List.of(ISSUES, MERGE, MAIL);

  private static List<ToolSpec> rank(String query) {
    return new WordRanking().rank(query, ALL);
  }

  @Test
  void a_rare_word_counts_more_than_a_common_one() {
    assertThat(rank("issue of the repository")).startsWith(ISSUES).doesNotContain(MAIL);
  }

  @Test
  void words_of_arguments_and_of_names_in_any_style_are_found() {
    assertThat(rank("squash")).containsExactly(MERGE);
    assertThat(rank("sendMail")).containsExactly(MAIL);
    assertThat(rank("merge_pull_request")).startsWith(MERGE);
  }

  @Test
  void nothing_fits_foreign_words() {
    assertThat(rank("photosynthesis")).isEmpty();
    assertThat(rank("")).isEmpty();
    assertThat(rank("%%% ---")).isEmpty();
  }
}
