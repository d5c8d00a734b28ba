package dev.superstep.terminal.undo;

import dev.superstep.terminal.undo.Change.ChangedPath;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import dev.superstep.terminal.undo.TreeEntry.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A change as JSON.
final class ChangeFile {
  private static final JsonMapper JSON = JsonMapper.shared();

  private ChangeFile() {}

  static String text(Change change) {
    var object = JsonNodeFactory.instance.objectNode();
    object
        .put("version", 1)
        .put("id", change.id())
        .put("label", change.label())
        .put("begun", change.begun().toString())
        .put("interrupted", change.isInterrupted())
        .put("undone", change.isUndone());
    var outside = object.putArray("outside");
    change.outside().forEach(outside::add);
    var paths = object.putArray("paths");
    for (var path : change.paths()) {
      var at = paths.addObject().put("path", path.path());
      if (path.before() != null) at.set("before", entry(path.before()));
      if (path.after() != null) at.set("after", entry(path.after()));
    }
    return object.toString();
  }

  private static ObjectNode entry(TreeEntry entry) {
    var stamp = entry.stamp();
    return JsonNodeFactory.instance
        .objectNode()
        .put("kind", entry.kind().name())
        .put("mode", entry.mode())
        .put("content", entry.content())
        .put("gap", entry.gap())
        .put("size", stamp.size())
        .put("modified", stamp.modified())
        .put("changed", stamp.changed())
        .put("inode", stamp.inode());
  }

  static Change read(String text) {
    var object = JSON.readTree(text);
    var outside = new ArrayList<String>();
    object.path("outside").forEach(each -> outside.add(each.asString()));
    var paths = new ArrayList<ChangedPath>();
    for (var at : object.path("paths")) {
      paths.add(
          new ChangedPath(at.path("path").asString(), entry(at, "before"), entry(at, "after")));
    }
    return new Change(
        object.path("id").asLong(),
        object.path("label").asString(),
        Instant.parse(object.path("begun").asString()),
        paths,
        List.copyOf(outside),
        object.path("interrupted").asBoolean(),
        object.path("undone").asBoolean());
  }

  private static @Nullable TreeEntry entry(JsonNode at, String field) {
    var entry = at.get(field);
    if (entry == null) return null;
    return new TreeEntry(
        Kind.valueOf(entry.path("kind").asString()),
        entry.path("mode").asInt(),
        entry.path("content").asString(),
        entry.path("gap").asString(),
        new Stamp(
            entry.path("size").asLong(),
            entry.path("modified").asLong(),
            entry.path("changed").asLong(),
            entry.path("inode").asLong(),
            false));
  }
}
