package dev.superstep.a2a.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The examples of RFC 8785, and what the schema of cards cannot tell.
final class CanonicalJsonTest {
  private static String canonical(String json) {
    return CanonicalJson.of(Trees.of(json));
  }

  @Test
  void the_example_of_the_standard_has_its_form() {
    var given =
        """
        {
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
          "literals": [null, true, false]
        }
        """;
    assertThat(canonical(given))
        .isEqualTo(
            "{\"literals\":[null,true,false],"
                + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  @Test
  void members_are_in_the_order_of_their_code_units() {
    var given =
        """
        {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet",
         "1": "One", "\\ud83d\\ude00": "Emoji", "\\u0080": "Control",
         "\\u00f6": "Latin Small Letter O"}
        """;
    assertThat(Trees.of(canonical(given)).values())
        .extracting(value -> value.stringValue())
        .containsExactly(
            "Carriage Return",
            "One",
            "Control",
            "Latin Small Letter O",
            "Euro Sign",
            "Emoji",
            "Hebrew Letter Dalet");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "-1.5, -1.5",
    "100, 100",
    "123456789012345680000, 123456789012345680000",
    "1e21, 1e+21",
    "1.5e300, 1.5e+300",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "1.25e-9, 1.25e-9",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "9007199254740991, 9007199254740991",
    "295147905179352830000, 295147905179352830000"
  })
  void numbers_are_as_ecmascript_writes_them(String given, String written) {
    assertThat(canonical(given)).isEqualTo(written);
  }

  @Test
  void what_has_no_form_is_refused() {
    var half = JsonNodeFactory.instance.stringNode("\ud83d");
    assertThatThrownBy(() -> CanonicalJson.of(half)).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> canonical("1e400")).hasMessageContaining("too large");
  }

  @Test
  void empty_fields_of_a_card_are_not_signed_and_false_of_an_optional_one_is() {
    var card =
        """
        {"name": "a", "description": "", "skills": [], "provider": {"url": ""}, "iconUrl": null,
         "capabilities": {"streaming": false, "extensions": [{"uri": "u", "required": false}]},
         "signatures": [{"protected": "x"}]}
        """;
    assertThat(CardSignatures.canonical((ObjectNode) Trees.of(card)))
        .isEqualTo(
            "{\"capabilities\":{\"extensions\":[{\"uri\":\"u\"}],\"streaming\":false},"
                + "\"name\":\"a\"}");
  }
}
