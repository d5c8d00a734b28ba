package dev.superstep.model.dialect;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The name of the tool and its arguments in brackets, in the order of the schema: `look[Oslo|3]`.
/// Texts stand as they are, all else as JSON; what is left empty was not said, if it need not be. A
/// backslash takes the meaning from what follows it, and `\n` is a new line. Immutable.
record PositionalForm() implements DialectSyntax {
  /// A parameter of a tool.
  private record Parameter(String name, boolean isText, boolean isRequired) {}

  @Override
  public String described(List<ToolSpec> tools) {
    var text =
        new StringBuilder(
            """
            You can call tools. To call one, write its name and its arguments in this order, \
            divided by `|`, in tags, and nothing after it:
            <tool_call>the_tool[first argument|second argument]</tool_call>
            Write `\\|`, `\\]` and `\\\\` for those characters in an argument, and `\\n` for a new \
            line. Leave an argument with `?` empty if you do not need it. What is not text is \
            written as JSON. You are then given the results in <tool_result> tags. Never write \
            those yourself. The tools are:
            """);
    for (var tool : tools) {
      text.append("- ").append(tool.name()).append('[');
      var names = new ArrayList<String>();
      for (var one : parameters(tool)) names.add(one.name() + (one.isRequired() ? "" : "?"));
      text.append(String.join("|", names)).append("]: ").append(tool.description());
      text.append("\n  arguments: ").append(tool.parameters().text()).append('\n');
    }
    return text.toString();
  }

  @Override
  public String written(ToolCall call, List<ToolSpec> tools) {
    var spec = find(call.tool(), tools);
    var given = XmlForm.object(call.arguments());
    if (spec.isEmpty() || given.isEmpty()) {
      return call.tool() + "[" + ToolTags.harmless(escaped(call.arguments())) + "]";
    }
    var values = new ArrayList<String>();
    for (var parameter : parameters(spec.get())) {
      var value = given.get().get(parameter.name());
      if (value == null) values.add("");
      else if (parameter.isText() && value.isString()) values.add(escaped(value.asString()));
      else values.add(escaped(value.toString()));
    }
    while (!values.isEmpty() && values.getLast().isEmpty()) values.removeLast();
    // An escaped `<` is the same character, and no beginning of a tag.
    return call.tool() + "[" + String.join("|", values).replace("<", "\\<") + "]";
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("|", "\\|").replace("]", "\\]").replace("\n", "\\n");
  }

  @Override
  public Read read(String body, List<ToolSpec> tools) {
    int open = body.indexOf('[');
    var name = (open < 0 ? body : body.substring(0, open)).strip();
    var spec = find(name, tools);
    var bad = new Read(name.isEmpty() || name.length() > 64 ? NAMELESS : name, body, false);
    if (spec.isEmpty() || open < 0) return bad;
    var values = values(body, open + 1);
    var parameters = parameters(spec.get());
    if (values.isEmpty() || values.get().size() > Math.max(1, parameters.size())) return bad;
    return arguments(values.get(), parameters)
        .map(arguments -> new Read(name, arguments, true))
        .orElse(bad);
  }

  /// The texts between the brackets; empty if they are not closed, or something follows.
  private static Optional<List<String>> values(String body, int from) {
    var values = new ArrayList<String>();
    var value = new StringBuilder();
    for (int i = from; i < body.length(); i++) {
      char at = body.charAt(i);
      if (at == '\\' && i + 1 < body.length()) {
        char next = body.charAt(++i);
        value.append(next == 'n' ? '\n' : next);
      } else if (at == '|') {
        values.add(value.toString());
        value.setLength(0);
      } else if (at == ']') {
        values.add(value.toString());
        boolean isEnd = body.substring(i + 1).isBlank();
        return isEnd ? Optional.of(values) : Optional.empty();
      } else {
        value.append(at);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> arguments(List<String> values, List<Parameter> parameters) {
    if (parameters.isEmpty() && !values.getFirst().isBlank()) return Optional.empty();
    var object = JsonMapper.shared().createObjectNode();
    for (int i = 0; i < parameters.size(); i++) {
      var parameter = parameters.get(i);
      // What was not said is missed by the schema, if it is needed.
      if (i >= values.size()) break;
      var value = values.get(i);
      boolean isLeftOut = value.isEmpty() && !(parameter.isRequired() && parameter.isText());
      if (isLeftOut) continue;
      if (parameter.isText()) object.put(parameter.name(), value);
      else object.set(parameter.name(), json(value));
    }
    return Optional.of(object.toString());
  }

  private static JsonNode json(String value) {
    try {
      return JsonMapper.shared().readTree(Json.parse(value).text());
    } catch (MalformedJson _) {
      // The schema refuses it, and the model is told.
      return JsonMapper.shared().getNodeFactory().stringNode(value);
    }
  }

  private static Optional<ToolSpec> find(String name, List<ToolSpec> tools) {
    return tools.stream().filter(tool -> tool.name().equals(name)).findFirst();
  }

  private static List<Parameter> parameters(ToolSpec tool) {
    var schema = JsonMapper.shared().readTree(tool.parameters().text());
    Set<String> required = new HashSet<>();
    for (var name : schema.path("required")) required.add(name.asString());
    var all = new ArrayList<Parameter>();
    for (var property : schema.path("properties").properties()) {
      var name = property.getKey();
      var type = property.getValue().path("type");
      // Of several types, or none, only JSON can tell which one is meant.
      boolean isText =
          (type.isString() && type.asString().equals("string"))
              || (type.isMissingNode() && isEnum(property.getValue()));
      all.add(new Parameter(name, isText, required.contains(name)));
    }
    return all;
  }

  private static boolean isEnum(JsonNode schema) {
    var values = schema.path("enum");
    if (!values.isArray() || values.isEmpty()) return false;
    for (var value : values) if (!value.isString()) return false;
    return true;
  }
}
