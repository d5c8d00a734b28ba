package dev.superstep.agui;

import dev.superstep.server.extension.RequestRefused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The input of a run of AG-UI, checked: what is known is of its type, what is unknown is left out.
/// Immutable.
///
/// @param parent the id of the run that spawned this one, or empty
/// @param state the client's; missing if it sent none
/// @param tools the names of the tools that the client offers
/// @param context pairs of a description and a value
/// @param resume the answers, by the ids of interrupts
record RunInput(
    String thread,
    String run,
    String parent,
    List<JsonNode> messages,
    JsonNode state,
    List<String> tools,
    List<JsonNode> context,
    JsonNode forwarded,
    Map<String, JsonNode> resume) {
  private static final int ID_MAX = 200;
  private static final int LIST_MAX = 10_000;

  /// Reads an input.
  ///
  /// @throws RequestRefused 422 that names the field and the reason
  static RunInput read(JsonNode body) {
    if (!body.isObject()) throw bad("The body", "must be a RunAgentInput, an object");
    var version = optional(body, "protocolVersion");
    if (!version.isEmpty() && !version.startsWith("1.") && !version.startsWith("0.")) {
      throw bad("protocolVersion", "is %s, and this server speaks 1.0".formatted(shown(version)));
    }
    var messages = list(body, "messages");
    if (!body.has("messages")) throw bad("messages", "is missing");
    for (int i = 0; i < messages.size(); i++) message(messages.get(i), "messages[" + i + "]");
    var tools = new ArrayList<String>();
    for (var tool : list(body, "tools")) tools.add(text(tool, "name", "tools"));
    var context = list(body, "context");
    for (var entry : context) {
      var _ = any(entry, "description", "context");
      var _ = any(entry, "value", "context");
    }
    return new RunInput(
        id(body, "threadId"),
        id(body, "runId"),
        optional(body, "parentRunId"),
        messages,
        body.path("state"),
        List.copyOf(tools),
        context,
        body.path("forwardedProps"),
        resume(list(body, "resume")));
  }

  private static void message(JsonNode message, String where) {
    var _ = text(message, "id", where);
    var role = text(message, "role", where);
    if (role.equals("tool")) {
      var _ = text(message, "toolCallId", where);
    }
    var content = message.path("content");
    boolean isEmpty = role.equals("assistant") && Trees.isNone(content);
    if (role.equals("activity") || isEmpty) return;
    if (!content.isString() && !content.isArray()) {
      throw bad(where + ".content", "must be a string or a list of parts");
    }
  }

  private static Map<String, JsonNode> resume(List<JsonNode> entries) {
    var all = new LinkedHashMap<String, JsonNode>();
    for (var entry : entries) {
      var id = text(entry, "interruptId", "resume");
      var status = text(entry, "status", "resume");
      if (!status.equals("resolved") && !status.equals("cancelled")) {
        throw bad("resume.status", "must be resolved or cancelled");
      }
      if (all.putIfAbsent(id, entry) != null) {
        throw bad("resume", "answers %s twice".formatted(shown(id)));
      }
    }
    return all;
  }

  private static String id(JsonNode body, String name) {
    var id = text(body, name, "");
    boolean isGood = id.length() <= ID_MAX && id.chars().allMatch(c -> c > ' ' && c != 0x7f);
    if (isGood) return id;
    throw bad(name, "must have 1 to " + ID_MAX + " characters, without blanks");
  }

  private static String text(JsonNode from, String name, String where) {
    var value = any(from, name, where);
    if (value.isEmpty()) throw bad(place(where, name), "must not be empty");
    return value;
  }

  private static String any(JsonNode from, String name, String where) {
    var value = from.path(name);
    if (value.isString()) return value.stringValue();
    throw bad(place(where, name), value.isMissingNode() ? "is missing" : "must be a string");
  }

  private static String place(String where, String name) {
    return where.isEmpty() ? name : where + "." + name;
  }

  private static String optional(JsonNode body, String name) {
    var value = body.path(name);
    if (Trees.isNone(value)) return "";
    if (value.isString()) return value.stringValue();
    throw bad(name, "must be a string");
  }

  private static List<JsonNode> list(JsonNode body, String name) {
    var value = body.path(name);
    if (Trees.isNone(value)) return List.of();
    if (!value.isArray() || value.size() > LIST_MAX) {
      throw bad(name, "must be a list of at most " + LIST_MAX);
    }
    return List.copyOf(value.values());
  }

  private static String shown(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }

  static RequestRefused bad(String field, String why) {
    return new RequestRefused(422, field + " " + why + ".");
  }
}
