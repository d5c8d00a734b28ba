package dev.superstep.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class SchemaAgreesWithCodecTest {
  private static final int VALUES = 100;

  @ParameterizedTest
  @ValueSource(
      classes = {
        Samples.Scalars.class,
        Samples.Times.class,
        Samples.Holders.class,
        Samples.Shape.class,
        Samples.Tree.class,
        Samples.Formula.class,
        Samples.Everything.class
      })
  <T> void every_encoded_value_is_valid(Class<T> type) {
    var codec = Codec.of(type);
    var schema = JsonSchema.of(type);
    for (long seed = 0; seed < VALUES; seed++) {
      var json = codec.encode(new RandomValues(seed).of(type));
      assertThat(schema.check(json)).as("seed %s: %s", seed, json).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Samples.Holders.class, Samples.Formula.class, Samples.Everything.class})
  <T> void what_the_codec_refuses_for_its_properties_the_schema_refuses_too(Class<T> type) {
    var codec = Codec.of(type);
    var schema = JsonSchema.of(type);
    for (long seed = 0; seed < VALUES; seed++) {
      var random = new SplittableRandom(seed);
      var tree = JsonMapper.shared().readTree(codec.encode(new RandomValues(seed).of(type)).text());
      breakProperty(tree, random);
      var broken = Json.unchecked(tree.toString());
      if (!refused(codec, broken)) continue;
      assertThat(schema.check(broken)).as("seed %s: %s", seed, broken).isNotEmpty();
    }
  }

  @Test
  void every_permitted_case_is_named_as_the_codec_names_it() {
    var circle = Codec.of(Samples.Shape.class).encode(new Samples.Circle(1));
    assertThat(circle.text()).isEqualTo("{\"type\":\"Circle\",\"radius\":1.0}");
    assertThat(JsonSchema.of(Samples.Shape.class).check(circle)).isEmpty();
  }

  /// Renames or removes a property somewhere in the tree, or adds one.
  private static void breakProperty(JsonNode node, SplittableRandom random) {
    var objects = new java.util.ArrayList<ObjectNode>();
    collect(node, objects);
    var target = objects.get(random.nextInt(objects.size()));
    var names = List.copyOf(target.propertyNames());
    if (names.isEmpty() || random.nextInt(3) == 0) target.put("surplus", 1);
    else target.remove(names.get(random.nextInt(names.size())));
  }

  private static void collect(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) objects.add(object);
    node.forEach(child -> collect(child, objects));
  }

  private static boolean refused(Codec<?> codec, Json json) {
    try {
      codec.decode(json);
      return false;
    } catch (MalformedJson _) {
      return true;
    }
  }
}
