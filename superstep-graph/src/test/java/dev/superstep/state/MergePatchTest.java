package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("G7")
class MergePatchTest {
  private static final Channel<Json, Json> META = Channel.patch("meta");

  /// The table of appendix A of RFC 7396.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"} | {\"a\":null} | {}",
        "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null} | {\"b\":\"c\"}",
        "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"c\"} | {\"a\":[\"b\"]} | {\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]} | {\"a\":[1]} | {\"a\":[1]}",
        "[\"a\",\"b\"] | [\"c\",\"d\"] | [\"c\",\"d\"]",
        "{\"a\":\"b\"} | [\"c\"] | [\"c\"]",
        "{\"a\":\"foo\"} | null | null",
        "{\"a\":\"foo\"} | \"bar\" | \"bar\"",
        "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
        "[1,2] | {\"a\":\"b\",\"c\":null} | {\"a\":\"b\"}",
        "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}"
      })
  void a_patch_has_the_result_that_the_standard_says(String value, String patch, String result) {
    assertThat(MergePatch.apply(Json.parse(value), Json.parse(patch)))
        .isEqualTo(Json.parse(result));
  }

  @Test
  void writes_of_one_superstep_are_applied_in_order_and_one_without_effect_is_no_change() {
    var reducer = META.reducer();
    var writes = List.of(Json.parse("{\"a\":1,\"b\":1.50}"), Json.parse("{\"a\":null}"));
    var first = reducer.fold(reducer.initial(), writes);
    assertThat(first.value()).isEqualTo(Json.parse("{\"b\":1.50}"));
    assertThat(first.changed()).isTrue();
    assertThat(reducer.fold(first.value(), List.of(Json.parse("{\"b\":1.50}"))).changed())
        .isFalse();
    assertThat(reducer.fold(first.value(), List.of(Json.parse("{\"c\":null}"))).changed())
        .isFalse();
  }
}
