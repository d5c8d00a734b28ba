package dev.superstep.agui;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The questions of a thread as interrupts of AG-UI, and the answers to them.
final class Interrupts {
  private static final String ACTIONS = "action_requests";
  private static final String ABANDONED = "The question was abandoned.";

  private Interrupts() {}

  /// A question as an interrupt. One approval of one tool call is bound to that call.
  ///
  /// @param messages of the thread
  static ObjectNode of(String id, JsonNode asked, JsonNode messages) {
    var json = Trees.object().put("id", id);
    var actions = asked.path(ACTIONS);
    if (actions.size() == 1) {
      var action = actions.path(0);
      var call = call(action, messages);
      json.put("reason", call.isEmpty() ? "superstep:review" : "tool_call");
      json.put("message", prompt(action));
      if (!call.isEmpty()) json.put("toolCallId", call);
      json.set("responseSchema", approval(asked));
    } else if (!actions.isEmpty()) {
      json.put("reason", "superstep:review").put("message", prompts(actions));
      json.set("responseSchema", decisions(actions.size()));
    } else {
      json.put("reason", "input_required");
      json.put("message", message(asked));
    }
    json.putObject("metadata").putObject("superstep").set("value", asked);
    return json;
  }

  /// The newest call of the conversation that is the one to be approved.
  private static String call(JsonNode action, JsonNode messages) {
    var id = "";
    for (var message : messages) {
      for (var call : message.path("tool_calls")) {
        boolean isIt =
            call.path("name").equals(action.path("name"))
                && call.path("args").equals(action.path("args"));
        if (isIt) id = call.path("id").asString("");
      }
    }
    return id;
  }

  private static String prompt(JsonNode action) {
    var description = action.path("description").asString("");
    if (!description.isEmpty()) return description;
    return "Run " + action.path("name").asString("") + " " + Trees.text(action.path("args")) + "?";
  }

  private static String prompts(JsonNode actions) {
    var text = new StringBuilder();
    for (var action : actions) text.append(text.isEmpty() ? "" : "\n").append(prompt(action));
    return text.toString();
  }

  private static String message(JsonNode asked) {
    if (asked.isString()) return asked.stringValue();
    for (var name : new String[] {"message", "question", "text", "prompt"}) {
      if (asked.path(name).isString()) return asked.path(name).stringValue();
    }
    return Trees.text(asked);
  }

  private static ObjectNode approval(JsonNode asked) {
    var schema = Trees.object().put("type", "object");
    var fields = schema.putObject("properties");
    fields.putObject("approved").put("type", "boolean");
    fields.putObject("message").put("type", "string");
    boolean isEditable = false;
    for (var decision : asked.path("review_configs").path(0).path("allowed_decisions")) {
      isEditable |= decision.asString("").equals("edit");
    }
    if (isEditable) fields.putObject("editedArgs").put("type", "object");
    schema.putArray("required").add("approved");
    return schema;
  }

  private static ObjectNode decisions(int count) {
    var schema = Trees.object().put("type", "object");
    var list = schema.putObject("properties").putObject("decisions").put("type", "array");
    list.put("minItems", count).put("maxItems", count).putObject("items").put("type", "object");
    schema.putArray("required").add("decisions");
    return schema;
  }

  /// The answer of an entry, in the form that the server takes.
  ///
  /// @throws dev.superstep.server.extension.RequestRefused 422 if there is none
  static JsonNode answer(String id, JsonNode asked, JsonNode entry) {
    boolean isAbandoned = entry.path("status").asString("").equals("cancelled");
    var actions = asked.path(ACTIONS);
    if (!actions.isEmpty()) {
      return isAbandoned ? rejected(actions.size()) : review(actions, entry.path("payload"));
    }
    if (isAbandoned) {
      throw RunInput.bad("resume", "abandons " + id + ", which needs an answer");
    }
    var payload = entry.path("payload");
    return payload.isMissingNode() ? JsonNodeFactory.instance.nullNode() : payload;
  }

  private static ObjectNode rejected(int count) {
    var answer = Trees.object();
    var all = answer.putArray("decisions");
    for (int i = 0; i < count; i++) all.addObject().put("type", "reject").put("message", ABANDONED);
    return answer;
  }

  private static JsonNode review(JsonNode actions, JsonNode payload) {
    if (!payload.path("approved").isBoolean()) return payload;
    boolean isApproved = payload.path("approved").booleanValue();
    var answer = Trees.object();
    var all = answer.putArray("decisions");
    for (var action : actions) decision(action, payload, isApproved, all);
    return answer;
  }

  private static void decision(
      JsonNode action, JsonNode payload, boolean isApproved, ArrayNode all) {
    var decision = all.addObject();
    if (!isApproved) {
      decision.put("type", "reject");
      if (payload.path("message").isString()) decision.set("message", payload.path("message"));
    } else if (payload.has("editedArgs")) {
      var edited = decision.put("type", "edit").putObject("edited_action");
      edited.set("name", action.path("name"));
      edited.set("args", payload.path("editedArgs"));
    } else {
      decision.put("type", "approve");
    }
  }
}
