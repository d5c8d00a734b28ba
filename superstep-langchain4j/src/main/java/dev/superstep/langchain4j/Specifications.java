package dev.superstep.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.superstep.json.Json;
import dev.superstep.model.ToolSpec;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Tools as models see them, in both forms. LangChain4j's JSON form keeps what its types do not.
final class Specifications {
  private static final JsonMapper JSON = JsonMapper.shared();

  private Specifications() {}

  /// The schema of the arguments.
  static Json parameters(ToolSpecification specification) {
    if (JSON.readTree(specification.toJson()).path("parameters") instanceof ObjectNode schema) {
      return Json.unchecked(schema.toString());
    }
    return Json.parse("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
  }

  static ToolSpec fromLangChain4j(ToolSpecification specification) {
    var description = specification.description();
    return new ToolSpec(
        specification.name(), description == null ? "" : description, parameters(specification));
  }

  static ToolSpecification toLangChain4j(ToolSpec spec) {
    var form = JSON.createObjectNode();
    form.put("name", spec.name()).put("description", spec.description());
    form.set("parameters", JSON.readTree(spec.parameters().text()));
    return ToolSpecification.fromJson(form.toString());
  }

  /// `getWeather` as `get_weather`.
  static String snakeCase(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
        .replaceAll("[^A-Za-z0-9]+", "_")
        .toLowerCase(Locale.ROOT);
  }
}
