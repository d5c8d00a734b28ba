package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        " { \"b\" : 1 , \"a\" : [ ] } | {\"b\":1,\"a\":[]}",
        "0.10|0.10",
        "1e400|1e400",
        "123456789012345678901234567890|123456789012345678901234567890",
        "0.1000000000000000055511151231257827|0.1000000000000000055511151231257827",
        "\"\\u00e9\"|\"\u00e9\"",
        "null|null",
      })
  void text_from_outside_is_kept_in_short_form_and_no_digit_is_lost(String text, String kept) {
    assertThat(Json.parse(text).text()).isEqualTo(kept);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "{", "1 2", "{} {}", "'a'", "NaN", "{\"a\":1,}", "// x\n1"})
  void text_that_is_not_exactly_one_value_is_refused(String text) {
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> Json.parse(text));
  }

  @Test
  void equal_text_is_equal_json() {
    assertThat(Json.parse(" [1,2] ")).isEqualTo(Json.parse("[1,2]"));
    assertThat(Json.of("x")).isEqualTo(Json.string("x"));
    assertThat(Json.ofNull()).hasToString("null");
  }
}
