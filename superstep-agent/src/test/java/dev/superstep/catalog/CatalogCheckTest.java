package dev.superstep.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a catalogue is refused for.
@Tag("T115")
class CatalogCheckTest {
  @Test
  void all_errors_are_reported_together() {
    var json =
        """
        {"schema":2,"date":"23.9.2026",
         "sources":[{"name":"a","version":"1","licence":"MIT","gives":"all"}],
         "providers":[
          {"id":"p","currency":"Taler","sources":["b"],"hosts":[],"models":[
           {"id":"one","prices":[{"input":"-1 9:2 9:3","output":"cheap"}],"context":0},
           {"id":"ONE","names":["=x"]},
           {"id":"two","names":["=X","?y","~(a+)+"],"status":"FINE","has":["TOOLS"],"lacks":["TOOLS"],
            "prices":[{"from":"2026-02-30","daily":["noon"]},{"from":"1960-01-01"}]}]},
          {"id":"p","currency":"USD","sources":[],"hosts":[],"models":[]}]}
        """;
    var error =
        catchThrowableOfType(InvalidCatalog.class, () -> ModelCatalog.parse(Json.parse(json)));
    assertThat(error.problems())
        .extracting(CatalogProblem::code)
        .containsExactlyInAnyOrder(
            "unsupported-schema",
            "bad-date",
            "bad-price",
            "unknown-word",
            "bad-date",
            "bad-time",
            "bad-date",
            "missing-source",
            "bad-limit",
            "bad-currency",
            "negative-price",
            "bad-tier",
            "duplicate-key",
            "alias-clash",
            "bad-rule",
            "bad-rule",
            "contradiction",
            "bad-currency",
            "duplicate-key",
            "missing-source");
    assertThat(error)
        .hasMessageStartingWith("The model catalogue has 20 problems:\n  unsupported-schema: ")
        .hasMessageContaining("\n  negative-price: Model `one` of `p` has the price -1.")
        .hasMessageContaining(
            "\n  alias-clash: Model `two` of `p` has the name `x`, which `ONE` has.");
  }

  @Test
  void text_of_another_form_is_no_catalogue() {
    Assertions.assertThatThrownBy(() -> ModelCatalog.parse(Json.parse("{\"schema\":1}")))
        .isInstanceOf(MalformedJson.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~(a|b)*c",
        "~(a+)+$",
        "~.*.*.*x",
        "~(a)\\1",
        "~a?a?a?aaa",
        "~(?:ab){2,9}",
        "~[",
        "",
        "name"
      })
  void a_rule_that_may_take_long_or_is_none_is_refused(String rule) {
    Assertions.assertThatThrownBy(() -> NameRule.parse(rule))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_slowest_accepted_rule_is_fast_enough() {
    var rule = NameRule.parse("~.*.*x");
    assertThat(rule.matches("a".repeat(NameRule.NAME_MAX))).isFalse();
    assertThat(rule.matches("x".repeat(NameRule.NAME_MAX + 1))).isFalse();
  }

  @Test
  void rules_match_as_their_signs_say() {
    assertThat(List.of("=Big-1", "^BIG", "$-1", "*g-", "~^B.g-\\d$", "^big & $1"))
        .allSatisfy(rule -> assertThat(NameRule.parse(rule).matches("Big-1")).isTrue());
    assertThat(List.of("=big", "^ig", "$2", "*gg", "~^b.g", "^big & $2"))
        .allSatisfy(rule -> assertThat(NameRule.parse(rule).matches("Big-1")).isFalse());
  }
}
