package dev.superstep.tool.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(20)
class PatternRankingTest {
  private static final List<ToolSpec> TOOLS =
      Stream.of("create_invoice", "list_invoices", "get_weather", "send_invoice")
          .map(name -> new ToolSpec(name, "Sends what it is told.", Json.parse("{}")))
          .toList();

  private static List<String> found(String query) throws InterruptedException {
    return ToolRanking.byPatterns().rank(query, TOOLS).stream().map(ToolSpec::name).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "*_invoice, create_invoice send_invoice",
    "get_*|LIST_*, list_invoices get_weather",
    "*invoice*, create_invoice list_invoices send_invoice",
    "*_*o*e, create_invoice send_invoice",
    "x*, ''",
    "*, create_invoice list_invoices get_weather send_invoice"
  })
  void a_pattern_finds_the_tools_whose_names_fit_in_their_order(String query, String names)
      throws Exception {
    assertThat(String.join(" ", found(query))).isEqualTo(names);
  }

  @Test
  void words_are_ranked_as_words() throws Exception {
    assertThat(found("weather")).containsExactly("get_weather");
  }

  @Test
  void the_model_is_told_that_patterns_work() {
    var search = ToolSearch.over(dev.superstep.tool.Tools.of());
    assertThat(search.withRanking(ToolRanking.byPatterns()).tools().getFirst().spec().parameters())
        .asString()
        .contains("`get_*|list_*`");
    assertThat(search.tools().getFirst().spec().parameters().text())
        .isEqualTo(dev.superstep.schema.JsonSchema.of(Query.class).json().text());
  }

  record Query(
      @dev.superstep.schema.Description("What the tool should do, in a few words, or its name.")
          String query) {}

  @Test
  void a_hostile_pattern_ends_soon() throws Exception {
    var name = "a".repeat(200);
    var tools = List.of(new ToolSpec(name, "", Json.parse("{}")));
    assertThat(ToolRanking.byPatterns().rank("*a".repeat(99) + "b", tools)).isEmpty();
    assertThat(ToolRanking.byPatterns().rank("*".repeat(300) + "b", tools)).isEmpty();
  }
}
