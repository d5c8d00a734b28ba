package dev.superstep.model.dialect;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A JSON object with a name and arguments. Immutable.
record XmlForm() implements DialectSyntax {
  private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"\\\\]{1,64})\"");

  @Override
  public String described(List<ToolSpec> tools) {
    var text =
        new StringBuilder(
            """
            You can call tools. To call one, write a JSON object with its name and arguments in \
            tags, and nothing after it:
            <tool_call>{"name": "the_tool", "arguments": {"key": "value"}}</tool_call>
            Write several such tags to call several tools. You are then given the results in \
            <tool_result> tags. Never write those yourself. The tools are:
            """);
    for (var tool : tools) {
      text.append("- ").append(tool.name()).append(": ").append(tool.description());
      text.append("\n  arguments: ").append(tool.parameters().text()).append('\n');
    }
    return text.toString();
  }

  @Override
  public String written(ToolCall call, List<ToolSpec> tools) {
    var arguments = object(call.arguments()).map(JsonNode::toString);
    var shown = arguments.orElseGet(() -> Json.string(call.arguments()).text());
    var json = "{\"name\":%s,\"arguments\":%s}".formatted(Json.string(call.tool()), shown);
    // Only strings can hold it, where this says the same.
    return json.replace("<", "\\u003c");
  }

  @Override
  public Read read(String body, List<ToolSpec> tools) {
    var whole = object(body);
    if (whole.isEmpty() || !whole.get().path("name").isString()) {
      var name = NAME.matcher(body);
      return new Read(name.find() ? name.group(1) : NAMELESS, body, false);
    }
    var tool = whole.get().path("name").asString();
    var given = whole.get().get("arguments");
    // Without arguments the call is as one that says none, which tools that need some refuse.
    if (given == null) return new Read(tool, "", true);
    if (given.isObject()) return new Read(tool, given.toString(), true);
    // Some models write the object as a string.
    var inner = given.isString() ? object(given.asString()) : Optional.<JsonNode>empty();
    return inner
        .map(arguments -> new Read(tool, arguments.toString(), true))
        .orElseGet(() -> new Read(tool, given.isString() ? given.asString() : "" + given, false));
  }

  /// A text as a JSON object, if it is one.
  static Optional<JsonNode> object(String text) {
    try {
      var node = JsonMapper.shared().readTree(Json.parse(text).text());
      return node.isObject() ? Optional.of(node) : Optional.empty();
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }
}
