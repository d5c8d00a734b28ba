package dev.superstep.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Texts that are accepted in one pass, without the validator.
final class FlatObjectTest {
  private record Numbers(int a, long b) {}

  private record Mixed(
      String name, boolean on, double share, @Description("How many.") int count) {}

  private record Partly(String name, Optional<String> note, @Nullable Integer count) {}

  private record Limited(@Limits(max = 9) int digit) {}

  private record Nested(Numbers numbers) {}

  private static final List<JsonSchema> SCHEMAS =
      List.of(
          JsonSchema.of(Numbers.class),
          JsonSchema.of(Mixed.class),
          JsonSchema.of(Partly.class),
          JsonSchema.of(Limited.class),
          JsonSchema.of(Nested.class),
          JsonSchema.parse(Json.parse("{\"type\":\"object\"}")),
          JsonSchema.parse(
              Json.parse(
                  """
                  {"type": "object", "properties": {"a": {"type": "number"}, \
                  "name": {"type": "string", "minLength": 3}}}\
                  """)),
          JsonSchema.parse(
              Json.parse(
                  """
                  {"type": "object", "properties": {"a": {"type": "number"}, \
                  "on": {"type": "boolean"}}, "required": ["a"]}\
                  """)));

  private static final List<String> NAMES =
      List.of("a", "b", "name", "on", "share", "count", "note", "digit", "numbers");
  private static final List<String> VALUES =
      List.of(
          "1",
          "-7",
          "1.0",
          "2.5",
          "1e3",
          "12",
          "true",
          "false",
          "null",
          "\"\"",
          "\"x\"",
          "\"1\"",
          "[]",
          "[1]",
          "{}",
          "{\"a\":1,\"b\":2}",
          "99999999999999999999",
          "tru",
          "");

  private static String object(SplittableRandom random) {
    var parts = new ArrayList<String>();
    for (int i = random.nextInt(5); i > 0; i--) {
      var name = NAMES.get(random.nextInt(NAMES.size()));
      parts.add("\"" + name + "\": " + VALUES.get(random.nextInt(VALUES.size())));
    }
    var end = random.nextInt(20) == 0 ? "} 1" : random.nextInt(20) == 0 ? "" : "}";
    return "{" + String.join(", ", parts) + end;
  }

  private static boolean isGood(JsonSchema schema, String text) {
    try {
      return schema.check(Json.parse(text)).isEmpty();
    } catch (MalformedJson _) {
      return false;
    }
  }

  @Test
  void whatever_is_accepted_is_good_for_the_validator() {
    var random = new SplittableRandom(17);
    int accepted = 0;
    for (int i = 0; i < 30_000; i++) {
      var text = object(random);
      for (var schema : SCHEMAS) {
        if (!schema.accepts(text)) continue;
        accepted++;
        assertThat(isGood(schema, text)).as(text + " for " + schema).isTrue();
      }
    }
    assertThat(accepted).isGreaterThan(500);
  }

  @Test
  void arguments_of_scalars_are_accepted_at_once() {
    assertThat(JsonSchema.of(Numbers.class).accepts("{\"a\": 1, \"b\": -2}")).isTrue();
    assertThat(
            JsonSchema.of(Mixed.class)
                .accepts("{\"name\":\"x\",\"on\":true,\"share\":0.5,\"count\":3}"))
        .isTrue();
  }

  @Test
  void what_only_the_validator_can_judge_is_left_to_it() {
    assertThat(JsonSchema.of(Numbers.class).accepts("{\"a\": 1}")).isFalse();
    assertThat(JsonSchema.of(Numbers.class).accepts("{\"a\": 1, \"b\": 2, \"c\": 3}")).isFalse();
    assertThat(JsonSchema.of(Numbers.class).accepts("{\"a\": 1, \"b\": 2} 3")).isFalse();
    assertThat(JsonSchema.of(Numbers.class).accepts("{\"a\": 1, \"b\": 2, \"b\": 3}")).isFalse();
    assertThat(JsonSchema.of(Limited.class).accepts("{\"digit\": 1}")).isFalse();
    assertThat(JsonSchema.of(Nested.class).accepts("{\"numbers\":{\"a\":1,\"b\":2}}")).isFalse();
    var padded = "{\"a\": 1, \"b\": 2" + " ".repeat(1_000) + "}";
    assertThat(JsonSchema.of(Numbers.class).accepts(padded)).isFalse();
    assertThat(JsonSchema.of(Numbers.class).check(Json.parse(padded))).isEmpty();
  }
}
