package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Names the ids of one journal by where they come from, so that the same run gives the same names
/// whenever it is done. One thread at a time.
final class IdNames {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);
  private static final Codec<List<Json>> ARRAY = Codec.listOf(Json.class);

  /// Name by id.
  private final Map<String, String> names = new HashMap<>();

  /// The number of ids that come from each place; several if a graph was run again.
  private final Map<String, Integer> places = new HashMap<>();

  /// The entry, with names in the place of ids.
  JournalDiff.PlainEvent plain(Entry entry) {
    var parts = new TreeMap<String, String>();
    flatten("", entry.event(), parts);
    learn(entry, parts);
    parts.replaceAll((_, json) -> renamed(json));
    return new JournalDiff.PlainEvent(entry, parts);
  }

  /// A place that has one thing after another gives the same ids in the same order; and of all that
  /// is named here, only one thing at a time is in its place.
  private void learn(Entry entry, Map<String, String> parts) {
    var path = String.join("/", entry.path());
    var step = parts.getOrDefault("origin.step", "");
    learn(parts, "origin.run", "run");
    learn(parts, "origin.thread", "thread");
    learn(parts, "checkpoint", "checkpoint " + path + "@" + step);
    learn(parts, "older", "checkpoint " + path + "@" + step);
    for (var place : List.of("task", "interrupt.task", "activation.interrupt.task")) {
      var id = parts.get(place);
      if (id != null) learn(parts, place, "task " + path + ":" + withoutCheckpoint(id));
    }
    for (var asked : List.of("interrupt", "activation.interrupt")) {
      var task = parts.get(asked + ".task");
      if (task == null) continue;
      var point = parts.getOrDefault(asked + ".point", "");
      var index = parts.getOrDefault(asked + ".index", "");
      learn(parts, asked + ".id", "question " + renamed(task) + " " + point + "#" + index);
    }
  }

  private void learn(Map<String, String> parts, String part, String place) {
    var id = parts.get(part);
    if (id == null || id.equals("\"\"") || names.containsKey(id)) return;
    int count = places.merge(place, 1, Integer::sum);
    names.put(id, "<" + place + (count == 1 ? "" : " again " + count) + ">");
  }

  /// The id of a task is that of its checkpoint, then the superstep and the node.
  private static String withoutCheckpoint(String task) {
    return task.substring(task.indexOf('/') + 1);
  }

  private String renamed(String json) {
    return names.getOrDefault(json, json);
  }

  private static void flatten(String path, Json json, Map<String, String> into) {
    var text = json.text();
    if (text.equals("{}") || text.equals("[]")) {
      into.put(path, text);
    } else if (text.startsWith("{")) {
      OBJECT.decode(json).forEach((name, value) -> flatten(joined(path, name), value, into));
    } else if (text.startsWith("[")) {
      var items = ARRAY.decode(json);
      for (int i = 0; i < items.size(); i++) {
        flatten(joined(path, String.valueOf(i)), items.get(i), into);
      }
    } else {
      into.put(path, text);
    }
  }

  private static String joined(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
