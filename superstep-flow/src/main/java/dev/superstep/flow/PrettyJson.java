package dev.superstep.flow;

import dev.superstep.json.Json;
import tools.jackson.databind.json.JsonMapper;

/// JSON in lines, for people.
final class PrettyJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private PrettyJson() {}

  static String of(Json json) {
    var tree = MAPPER.readTree(json.text());
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
  }
}
