package dev.superstep.server.internal.wire.stream;

import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.wire.Trees;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The events of a thread that a client wants. Immutable.
///
/// @param channels `custom` for all custom events, `custom:name` for those of one name
/// @param namespaces prefixes, one of which an event's namespace must have; empty for all
/// @param depth how many levels below its prefix a namespace may be, if that is limited
public record ProtocolFilter(
    Set<String> channels, List<List<String>> namespaces, OptionalInt depth) {
  private static final int CHANNELS_MAX = 100;
  private static final int NAMESPACES_MAX = 1_000;
  private static final String CUSTOM = "custom";
  private static final String NAMED = "custom:";
  private static final Set<String> KNOWN =
      Set.of(
          "values",
          "updates",
          "messages",
          "tools",
          "lifecycle",
          "input",
          "checkpoints",
          "tasks",
          CUSTOM);

  /// Reads `{channels, namespaces, depth}`.
  ///
  /// @throws dev.superstep.server.internal.http.HttpFailure 422 that names the field and the reason
  public static ProtocolFilter read(Fields fields) {
    var channels = new LinkedHashSet<>(fields.texts("channels"));
    if (channels.isEmpty() || channels.size() > CHANNELS_MAX) {
      throw Fields.bad("channels", "must be a list of 1 to " + CHANNELS_MAX + " channels");
    }
    for (var channel : channels) {
      boolean isNamed = channel.startsWith(NAMED) && channel.length() > NAMED.length();
      if (!isNamed && !KNOWN.contains(channel)) {
        throw Fields.bad(
            "channels", "has an unknown channel; use " + new java.util.TreeSet<>(KNOWN));
      }
    }
    return new ProtocolFilter(
        channels,
        namespaces(fields.any("namespaces")),
        fields.number("depth", 0, Integer.MAX_VALUE));
  }

  /// The form that [#read] reads.
  public ObjectNode json() {
    var json = Trees.object();
    var names = json.putArray("channels");
    channels.forEach(names::add);
    if (!namespaces.isEmpty()) {
      var all = json.putArray("namespaces");
      for (var namespace : namespaces) {
        var segments = all.addArray();
        namespace.forEach(segments::add);
      }
    }
    depth.ifPresent(levels -> json.put("depth", levels));
    return json;
  }

  private static List<List<String>> namespaces(JsonNode value) {
    if (Fields.isNone(value)) return List.of();
    if (!value.isArray() || value.size() > NAMESPACES_MAX) {
      throw Fields.bad("namespaces", "must be a list of at most " + NAMESPACES_MAX);
    }
    var all = new ArrayList<List<String>>();
    for (var one : value) all.add(namespace(one, "namespaces"));
    return List.copyOf(all);
  }

  /// Reads a namespace: a list of strings, empty for the thread's own graph.
  ///
  /// @throws dev.superstep.server.internal.http.HttpFailure 422 if it is something else
  public static List<String> namespace(JsonNode value, String field) {
    if (Fields.isNone(value)) return List.of();
    var segments = new ArrayList<String>();
    boolean isList = value.isArray();
    for (var segment : value) {
      if (segment.isString()) segments.add(segment.stringValue());
      else isList = false;
    }
    if (!isList) throw Fields.bad(field, "must be a namespace: a list of strings");
    return List.copyOf(segments);
  }

  /// Returns whether the client gets an event.
  ///
  /// @param stored in the form of [ProtocolEvent#stored]
  public boolean accepts(JsonNode stored) {
    var params = stored.path("params");
    if (!acceptsChannel(stored.path("method").asString(""), params.path("data"))) return false;
    if (namespaces.isEmpty()) return true;
    var namespace = new ArrayList<String>();
    for (var segment : params.path("namespace")) namespace.add(segment.asString(""));
    for (var prefix : namespaces) {
      if (!isPrefix(prefix, namespace)) continue;
      if (depth.isEmpty() || namespace.size() - prefix.size() <= depth.getAsInt()) return true;
    }
    return false;
  }

  private boolean acceptsChannel(String method, JsonNode data) {
    return switch (method) {
      case "input.requested", "input.answered" -> channels.contains("input");
      case CUSTOM ->
          channels.contains(CUSTOM) || channels.contains(NAMED + data.path("name").asString(""));
      default -> channels.contains(method);
    };
  }

  /// Clients may name a graph inside by its node alone, without the task that runs it.
  private static boolean isPrefix(List<String> prefix, List<String> namespace) {
    if (prefix.size() > namespace.size()) return false;
    for (int i = 0; i < prefix.size(); i++) {
      var wanted = prefix.get(i);
      var segment = namespace.get(i);
      if (segment.equals(wanted)) continue;
      int colon = segment.indexOf(':');
      boolean isNode = colon >= 0 && segment.substring(0, colon).equals(wanted);
      if (!isNode) return false;
    }
    return true;
  }
}
