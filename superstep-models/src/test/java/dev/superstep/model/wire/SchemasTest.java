package dev.superstep.model.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SchemasTest {
  @Test
  void a_grammar_gets_a_schema_without_limits() {
    var schema =
        """
        {"type":"object","properties":{"minLength":{"type":"string","minLength":2},\
        "all":{"type":"array","items":{"$ref":"#/$defs/A"},"maxItems":9}},\
        "required":["minLength","all"],"additionalProperties":false,\
        "$defs":{"A":{"anyOf":[{"const":1},{"type":"null"}]}}}\
        """;
    assertThat(Schemas.forAnthropic(json(schema)).orElseThrow().toString())
        .isEqualTo(schema.replace(",\"minLength\":2", "").replace(",\"maxItems\":9", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"object\",\"properties\":{}}",
        "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
        "{\"oneOf\":[{\"const\":1}]}",
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}",
        """
        {"$ref":"#/$defs/A","$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/B"}},\
        "B":{"type":"array","items":{"$ref":"#/$defs/A"}}}}\
        """
      })
  void a_schema_that_a_grammar_cannot_say_is_none(String schema) {
    assertThat(Schemas.forAnthropic(json(schema))).isEmpty();
  }

  @Test
  void a_definition_may_be_used_twice() {
    var schema =
        """
        {"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],\
        "$defs":{"A":{"type":"string"},"B":{"type":"array","items":{"$ref":"#/$defs/A"}}}}\
        """;
    assertThat(Schemas.forAnthropic(json(schema))).contains(json(schema));
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
