package dev.superstep.eval.dataset;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The JSON object of a case, as a line of a dataset has it.
final class CaseFields {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> KNOWN =
      Set.of("id", "input", "expected", "tools", "tags", "metadata", "answers", "ending");

  private final JsonNode line;

  private CaseFields(JsonNode line) {
    this.line = line;
  }

  /// Writes a case.
  ///
  /// @param isWhole whether with its metadata
  static ObjectNode of(Case written, boolean isWhole) {
    var line = JSON.createObjectNode();
    line.put("id", written.id());
    line.set("input", JsonValues.tree(written.input().canonical()));
    written.expected().ifPresent(value -> line.set("expected", JsonValues.tree(value.canonical())));
    if (!written.tools().isEmpty()) {
      var calls = line.putArray("tools");
      for (var call : written.tools()) {
        if (call.arguments().isEmpty()) {
          calls.add(call.tool());
        } else {
          var one = calls.addObject();
          one.put("tool", call.tool());
          one.set("arguments", JsonValues.tree(call.arguments().get().canonical()));
        }
      }
    }
    if (!written.tags().isEmpty()) written.tags().forEach(line.putArray("tags")::add);
    if (!written.answers().isEmpty()) {
      var answers = line.putObject("answers");
      new TreeMap<>(written.answers())
          .forEach((name, value) -> answers.set(name, JsonValues.tree(value.canonical())));
    }
    if (written.ending() != Ending.ANSWERED) {
      line.put("ending", written.ending().name().toLowerCase(Locale.ROOT));
    }
    if (isWhole && !written.metadata().isEmpty()) {
      var metadata = line.putObject("metadata");
      new TreeMap<>(written.metadata()).forEach(metadata::put);
    }
    return line;
  }

  /// Reads a case.
  ///
  /// @throws BadLine that says what is wrong
  static Case read(JsonNode line) throws BadLine {
    return new CaseFields(line).read();
  }

  private Case read() throws BadLine {
    if (!line.isObject()) throw new BadLine("the line must be a JSON object");
    for (var name : line.propertyNames()) {
      if (!KNOWN.contains(name)) {
        throw new BadLine(
            "field `"
                + shown(name)
                + "` is unknown; known are "
                + KNOWN.stream().sorted().toList());
      }
    }
    var input = line.get("input");
    if (input == null) throw new BadLine("field `input` is missing");
    try {
      return new Case(
          id(),
          json(input),
          Optional.ofNullable(line.get("expected")).map(CaseFields::json),
          tools(),
          texts("tags"),
          metadata(),
          answers(),
          ending());
    } catch (IllegalArgumentException e) {
      throw new BadLine(String.valueOf(e.getMessage()));
    }
  }

  private String id() throws BadLine {
    var id = line.get("id");
    if (id == null) throw new BadLine("field `id` is missing");
    if (!id.isString()) throw new BadLine("field `id` must be a text");
    return id.stringValue();
  }

  private List<ExpectedCall> tools() throws BadLine {
    var calls = new ArrayList<ExpectedCall>();
    for (var one : list("tools")) {
      if (one.isString()) {
        calls.add(ExpectedCall.of(one.stringValue()));
      } else if (one.path("tool").isString()) {
        var arguments = one.get("arguments");
        if (arguments != null && !arguments.isObject()) {
          throw new BadLine("`arguments` of a tool in `tools` must be an object");
        }
        calls.add(
            new ExpectedCall(
                one.path("tool").stringValue(),
                Optional.ofNullable(arguments).map(CaseFields::json)));
      } else {
        throw new BadLine(
            "an entry of `tools` must be the name of a tool, or {\"tool\": ..., \"arguments\":"
                + " {...}}");
      }
    }
    return calls;
  }

  private List<String> texts(String field) throws BadLine {
    var texts = new ArrayList<String>();
    for (var one : list(field)) {
      if (!one.isString()) throw new BadLine("field `" + field + "` must be a list of texts");
      texts.add(one.stringValue());
    }
    return texts;
  }

  private Iterable<JsonNode> list(String field) throws BadLine {
    var list = line.get(field);
    if (list == null) return List.of();
    if (!list.isArray()) throw new BadLine("field `" + field + "` must be a list");
    return list;
  }

  private Map<String, String> metadata() throws BadLine {
    var all = new LinkedHashMap<String, String>();
    for (var entry : object("metadata")) {
      var value = entry.getValue();
      all.put(entry.getKey(), value.isString() ? value.stringValue() : value.toString());
    }
    return all;
  }

  private Map<String, Json> answers() throws BadLine {
    var all = new LinkedHashMap<String, Json>();
    for (var entry : object("answers")) all.put(entry.getKey(), json(entry.getValue()));
    return all;
  }

  private Set<Map.Entry<String, JsonNode>> object(String field) throws BadLine {
    var object = line.get(field);
    if (object == null) return Set.of();
    if (!object.isObject()) throw new BadLine("field `" + field + "` must be an object");
    return object.properties();
  }

  private Ending ending() throws BadLine {
    var given = line.get("ending");
    if (given == null) return Ending.ANSWERED;
    for (var one : Ending.values()) {
      if (given.isString() && one.name().equalsIgnoreCase(given.stringValue())) return one;
    }
    throw new BadLine("field `ending` must be one of answered, waiting, limit, timed_out, failed");
  }

  private static Json json(JsonNode node) {
    return Json.unchecked(node.toString());
  }

  static String shown(String text) {
    var clean = text.codePoints().limit(60).map(c -> Character.isISOControl(c) ? '?' : c);
    return clean
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /// A line that is no case.
  static final class BadLine extends Exception {
    private static final long serialVersionUID = 1;

    BadLine(String why) {
      super(why);
    }
  }
}
