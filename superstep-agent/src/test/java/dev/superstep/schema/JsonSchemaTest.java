package dev.superstep.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.UnsupportedType;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JsonSchemaTest {
  enum Priority {
    LOW,
    HIGH
  }

  @Description("An e-mail to the support desk.")
  record Mail(
      @Description("In one line.") @Limits(minLength = 3, maxLength = 20) String summary,
      Priority priority,
      @Limits(min = 0, max = 100) int score,
      @Limits(maxItems = 2, maxLength = 5) List<String> tags,
      Optional<String> answer) {}

  @Test
  void a_record_becomes_an_object_with_descriptions_and_limits() {
    assertThat(JsonSchema.of(Mail.class).json().text())
        .isEqualTo(
            """
            {"type":"object","properties":{\
            "summary":{"type":"string","description":"In one line.","minLength":3,"maxLength":20},\
            "priority":{"type":"string","enum":["LOW","HIGH"]},\
            "score":{"type":"integer","minimum":0,"maximum":100},\
            "tags":{"type":"array","items":{"type":"string","maxLength":5},"maxItems":2},\
            "answer":{"type":["string","null"]}},\
            "required":["summary","priority","score","tags"],\
            "additionalProperties":false,"description":"An e-mail to the support desk."}\
            """);
  }

  @Test
  void the_values_of_a_codec_have_the_schema_of_its_type() {
    assertThat(JsonSchema.of(Codec.of(Mail.class)).json())
        .isEqualTo(JsonSchema.of(Mail.class).json());
    assertThat(JsonSchema.of(Codec.listOf(Priority.class)).json().text())
        .isEqualTo(
            """
            {"type":"array","items":{"type":"string","enum":["LOW","HIGH"]}}\
            """);
    assertThat(JsonSchema.of(Codec.mapOf(Integer.class)).json().text())
        .isEqualTo(
            """
            {"type":"object","additionalProperties":{"type":"integer"}}\
            """);
    assertThat(
            JsonSchema.of(Channel.append("words", Codec.of(String.class)).values()).json().text())
        .isEqualTo(
            """
            {"type":"array","items":{"type":"string"}}\
            """);
  }

  @Test
  void a_type_that_holds_itself_is_referred_to() {
    assertThat(JsonSchema.of(Samples.Tree.class).json().text()).contains("\"$ref\":\"#\"");
    assertThat(JsonSchema.of(Samples.Everything.class).json().text())
        .contains("\"$ref\":\"#/$defs/Tree\"")
        .contains("\"$defs\":{\"Tree\":");
  }

  @Test
  void violations_name_the_path_the_error_and_the_rule() {
    var mail =
        """
        {"summary":"A very long summary of nothing","priority":"MID","score":101,
        "tags":["ok","too long","x"],"answer":5,"extra":true}\
        """;
    assertThat(JsonSchema.of(Mail.class).check(Json.parse(mail)))
        .extracting(Violation::sentence)
        .containsExactlyInAnyOrder(
            "`/summary` must have at most 20 characters; it has 30 characters.",
            "`/priority` must be one of \"LOW\", \"HIGH\"; it is \"MID\".",
            "`/score` must be at most 100; it is 101.",
            "`/tags` must have at most 2 items; it has 3 items.",
            "`/tags/1` must have at most 5 characters; it has 8 characters.",
            "`/answer` must be of type [string, null]; it is 5.",
            "The value must not have the property `extra`.");
    assertThat(JsonSchema.of(Mail.class).check(Json.parse("[]")))
        .containsExactly(new Violation("", "The value must be an object; it is []."));
    assertThat(JsonSchema.of(Mail.class).check(Json.parse("{}")))
        .extracting(Violation::sentence)
        .contains("The value lacks the property `summary`.");
  }

  @Test
  void a_sealed_value_is_validated_against_its_own_case_only() {
    var bad = "{\"shapes\":{\"a\":{\"type\":\"Square\",\"side\":\"x\"},\"b\":{\"type\":\"Hex\"}}}";
    record Board(java.util.Map<String, Samples.Shape> shapes) {}
    assertThat(JsonSchema.of(Board.class).check(Json.parse(bad)))
        .extracting(Violation::sentence)
        .containsExactly(
            "`/shapes/a/side` must be a whole number; it is \"x\".",
            "`/shapes/b/type` must be one of \"Circle\", \"Square\", \"Polygon\"; it is \"Hex\".");
  }

  @Test
  void an_optional_sealed_value_of_the_wrong_kind_is_one_violation() {
    record Maybe(Optional<Samples.Shape> shape) {}
    assertThat(JsonSchema.of(Maybe.class).check(Json.parse("{\"shape\":7}")))
        .containsExactly(
            new Violation("/shape", "`/shape` must be one of an object, null; it is 7."));
  }

  @Test
  void a_flood_of_violations_is_cut() {
    var tags = "\"much too long\",".repeat(500) + "\"x\"";
    var mail = "{\"summary\":\"abc\",\"priority\":\"LOW\",\"score\":1,\"tags\":[" + tags + "]}";
    assertThat(JsonSchema.of(Mail.class).check(Json.parse(mail))).hasSize(Violations.MAX);
  }

  @Test
  void open_types_are_refused() {
    record Open(Object anything) {}
    assertThatThrownBy(() -> JsonSchema.of(Open.class)).isInstanceOf(UnsupportedType.class);
  }

  @Test
  void a_limit_where_it_means_nothing_is_refused() {
    record Wrong(@Limits(maxLength = 3) int number) {}
    record Idle(@Limits String text) {}
    assertThatThrownBy(() -> JsonSchema.of(Wrong.class))
        .hasMessage("@Limits on Wrong.number sets maxLength, which needs a type of kind string");
    assertThatThrownBy(() -> JsonSchema.of(Idle.class))
        .hasMessage("@Limits on Idle.text sets no limit");
  }

  @Test
  void a_renamed_property_is_refused_rather_than_misread() {
    record Renamed(@JsonProperty("other") String name) {}
    assertThatThrownBy(() -> JsonSchema.of(Renamed.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Renamed.name");
  }

  @Test
  void a_schema_from_outside_checks_values() {
    var schema = JsonSchema.parse(Json.parse("{\"type\":\"object\",\"required\":[\"city\"]}"));
    assertThat(schema.check(Json.parse("{}")))
        .containsExactly(new Violation("", "The value lacks the property `city`."));
    assertThat(schema.check(Json.parse("{\"city\":1}"))).isEmpty();
    assertThatThrownBy(() -> schema.check(Json.unchecked("{"))).isInstanceOf(MalformedJson.class);
  }

  @Test
  void a_broken_schema_from_outside_is_refused() {
    assertThatThrownBy(() -> JsonSchema.parse(Json.parse("{\"type\":\"objekt\"}")))
        .isInstanceOf(MalformedSchema.class)
        .hasMessageContaining("objekt");
    assertThatThrownBy(() -> JsonSchema.parse(Json.parse("[1]")))
        .isInstanceOf(MalformedSchema.class);
    assertThatThrownBy(() -> JsonSchema.parse(Json.parse("{\"$ref\":\"#/$defs/none\"}")))
        .isInstanceOf(MalformedSchema.class);
  }

  @Test
  void a_reference_to_another_machine_is_never_followed() throws IOException {
    var asked = new AtomicInteger();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> asked.incrementAndGet());
    server.start();
    try {
      var address = "http://127.0.0.1:" + server.getAddress().getPort() + "/schema";
      var schema = Json.parse("{\"$ref\":\"" + address + "\"}");
      assertThatThrownBy(() -> JsonSchema.parse(schema)).isInstanceOf(MalformedSchema.class);
      assertThat(asked).hasValue(0);
    } finally {
      server.stop(0);
    }
  }
}
