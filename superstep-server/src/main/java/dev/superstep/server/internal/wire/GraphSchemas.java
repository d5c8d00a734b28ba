package dev.superstep.server.internal.wire;

import dev.superstep.json.Codec;
import dev.superstep.json.SuperstepException;
import dev.superstep.schema.JsonSchema;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The JSON Schemas of a graph. For one thread.
final class GraphSchemas {
  private final GraphWire wire;

  GraphSchemas(GraphWire wire) {
    this.wire = wire;
  }

  ObjectNode all() {
    var json = Trees.object().put("graph_id", wire.served().id());
    json.set("input_schema", input());
    json.set("output_schema", output());
    json.set("state_schema", state(false));
    json.set("config_schema", empty());
    json.set("context_schema", empty());
    return json;
  }

  private JsonNode output() {
    var json = state(false);
    json.set("properties", wire.outputs(json.withObjectProperty("properties")));
    return json;
  }

  private JsonNode input() {
    if (wire.served().input().isEmpty()) return state(true);
    return wire.served().schema().map(Trees::of).orElseGet(Trees::object);
  }

  private static ObjectNode empty() {
    var json = Trees.object().put("type", "object");
    json.putObject("properties");
    return json;
  }

  /// @param isInput whether it is about what is written, in place of what is read
  private ObjectNode state(boolean isInput) {
    var json = Trees.object().put("type", "object").put("title", wire.served().id());
    var properties = json.putObject("properties");
    wire.channels().forEach((name, form) -> properties.set(name, channel(form, isInput)));
    return json;
  }

  private static ObjectNode channel(ChannelForm<?, ?> form, boolean isInput) {
    if (form.isConversation()) return conversation();
    boolean isValue = !isInput || form.isCollection();
    var channel = form.channel();
    return codec(isValue ? channel.values() : channel.writes());
  }

  private static ObjectNode conversation() {
    var json = Trees.object().put("type", "array");
    var item = json.putObject("items").put("type", "object").put("title", "Message");
    var properties = item.putObject("properties");
    var types = properties.putObject("type").put("type", "string").putArray("enum");
    for (var type : new String[] {"human", "ai", "system", "tool"}) types.add(type);
    properties.putObject("content");
    properties.putObject("id").put("type", "string");
    item.putArray("required").add("type").add("content");
    return json;
  }

  private static ObjectNode codec(Codec<?> codec) {
    var schema = codec.javaType().map(GraphSchemas::type).orElseGet(Trees::object);
    return schema.put("title", codec.type());
  }

  /// The schema of a type, open where it cannot be said.
  private static ObjectNode type(Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
      var arguments = generic.getActualTypeArguments();
      if (Collection.class.isAssignableFrom(raw)) {
        var json = Trees.object().put("type", "array");
        json.set("items", type(arguments[0]));
        return json;
      }
      if (Map.class.isAssignableFrom(raw)) {
        var json = Trees.object().put("type", "object");
        json.set("additionalProperties", type(arguments[1]));
        return json;
      }
      return Trees.object();
    }
    if (!(type instanceof Class<?> plain)) return Trees.object();
    try {
      return Trees.of(JsonSchema.of(plain).json()) instanceof ObjectNode json
          ? json
          : Trees.object();
    } catch (SuperstepException _) {
      // Not every type that can be stored has a schema.
      return Trees.object();
    }
  }
}
