package dev.superstep.middleware;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// Takes out of texts, and of what holds texts, what detectors find. For one hook; counts what it
/// has found.
final class Redactor {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final List<Detector> detectors;
  private final Redaction how;
  private final Map<String, Integer> found = new TreeMap<>();

  record Find(int from, int to, String what) {}

  Redactor(List<Detector> detectors, Redaction how) {
    this.detectors = detectors;
    this.how = how;
  }

  /// The number of detected texts, by the name of the detector.
  Map<String, Integer> found() {
    return found;
  }

  String text(String text) {
    var finds = finds(text);
    if (finds.isEmpty()) return text;
    var changed = new StringBuilder(text.length());
    int at = 0;
    for (var find : finds) {
      changed.append(text, at, find.from()).append(inPlaceOf(find, text));
      at = find.to();
    }
    return changed.append(text, at, text.length()).toString();
  }

  /// What is shown instead; counts it.
  String inPlaceOf(Find find, String text) {
    found.merge(find.what(), 1, Integer::sum);
    return how.inPlaceOf(text.substring(find.from(), find.to()), find.what());
  }

  /// Places that overlap are one.
  List<Find> finds(String text) {
    var all = new ArrayList<Find>();
    for (var detector : detectors) {
      for (var span : detector.in(text)) {
        all.add(new Find(span.from(), span.to(), detector.name()));
      }
    }
    if (all.size() < 2) return all;
    all.sort(Comparator.comparingInt(Find::from).thenComparingInt(find -> -find.to()));
    var apart = new ArrayList<Find>(all.size());
    for (var find : all) {
      var last = apart.isEmpty() ? null : apart.getLast();
      if (last == null || find.from() >= last.to()) {
        apart.add(find);
      } else if (find.to() > last.to()) {
        apart.set(apart.size() - 1, new Find(last.from(), find.to(), last.what()));
      }
    }
    return apart;
  }

  List<Content> content(List<Content> parts) {
    var changed = new ArrayList<Content>(parts.size());
    for (var part : parts) part(part).ifPresent(changed::add);
    return changed.equals(parts) ? parts : List.copyOf(changed);
  }

  private Optional<Content> part(Content part) {
    return switch (part) {
      case Content.Text(var text) -> Optional.of(new Content.Text(text(text)));
      case Content.Data(var json) -> Optional.of(new Content.Data(json(json)));
      case Content.Thinking(var text, var seal) -> {
        var changed = text(text);
        // A vendor takes a thought with a seal back unchanged or not at all.
        boolean isKept = changed.equals(text) || seal.isEmpty();
        yield isKept ? Optional.of(new Content.Thinking(changed, seal)) : Optional.empty();
      }
      case Content.Image _, Content.ImageLink _, Content.Extension _ -> Optional.of(part);
      case Content.File _, Content.FileLink _ -> Optional.of(part);
    };
  }

  List<ToolCall> calls(List<ToolCall> calls) {
    return calls.stream().map(call -> call.with(call.tool(), arguments(call.arguments()))).toList();
  }

  private String arguments(String arguments) {
    try {
      var json = Json.parse(arguments);
      var changed = json(json);
      return changed.equals(json) ? arguments : changed.text();
    } catch (MalformedJson _) {
      return text(arguments);
    }
  }

  Json json(Json json) {
    var tree = JSON.readTree(json.text());
    var changed = node(tree);
    return changed.equals(tree) ? json : Json.unchecked(changed.toString());
  }

  private JsonNode node(JsonNode node) {
    var nodes = JsonNodeFactory.instance;
    if (node.isObject()) {
      var object = nodes.objectNode();
      for (var entry : node.properties()) object.set(text(entry.getKey()), node(entry.getValue()));
      return object;
    }
    if (node.isArray()) {
      var array = nodes.arrayNode();
      for (var item : node) array.add(node(item));
      return array;
    }
    var text = node.asString("");
    var changed = text(text);
    return changed.equals(text) ? node : nodes.stringNode(changed);
  }
}
