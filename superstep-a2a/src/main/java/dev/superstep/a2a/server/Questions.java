package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The questions of tasks, and the answers that messages give.
final class Questions {
  private static final String ACTIONS = "action_requests";

  private Questions() {}

  /// A question in words.
  static String text(JsonNode asked) {
    if (asked.isString()) return asked.stringValue();
    var actions = asked.path(ACTIONS);
    if (!actions.isEmpty()) return approval(actions);
    for (var name : new String[] {"message", "question", "text", "prompt"}) {
      if (asked.path(name).isString()) return asked.path(name).stringValue();
    }
    return Trees.text(asked);
  }

  private static String approval(JsonNode actions) {
    var text = new StringBuilder();
    for (var action : actions) {
      var name = action.path("name").asString("");
      text.append("May ").append(name).append(' ').append(Trees.text(action.path("args")));
      text.append(" be called? ");
    }
    return text + "Answer `approve` or `reject`, or with data {\"decisions\": [...]}.";
  }

  /// The answers of a message, by the ids of questions.
  ///
  /// @throws RpcError if it answers them not, or not all
  static ObjectNode answers(Map<String, JsonNode> open, JsonNode parts) {
    var data = data(parts);
    var given = data.path("answers");
    var all = Trees.object();
    for (var question : open.entrySet()) {
      JsonNode answer;
      if (given.isObject()) answer = given.path(question.getKey());
      else if (open.size() == 1) answer = answer(question.getValue(), data, Trees.parts(parts));
      else answer = JsonNodeFactory.instance.missingNode();
      if (answer.isMissingNode()) {
        throw RpcError.params(
            "The task asks %s; answer all of them by data {\"answers\": {ID: ANSWER}}."
                .formatted(open.keySet()));
      }
      all.set(question.getKey(), answer);
    }
    return all;
  }

  private static JsonNode data(JsonNode parts) {
    for (var part : parts) if (part.has("data")) return part.path("data");
    return JsonNodeFactory.instance.missingNode();
  }

  private static JsonNode answer(JsonNode asked, JsonNode data, String text) {
    int actions = asked.path(ACTIONS).size();
    if (actions == 0) {
      return data.isMissingNode() ? JsonNodeFactory.instance.stringNode(text) : data;
    }
    if (data.has("decisions")) return data;
    var said =
        data.path("approved").isBoolean()
            ? (data.path("approved").booleanValue() ? "approve" : "reject")
            : text.strip().toLowerCase(Locale.ROOT);
    // Nothing but these words: an agent elsewhere must not approve by a remark.
    if (!said.equals("approve") && !said.equals("reject")) {
      throw RpcError.params("The task asks for an approval; answer `approve` or `reject`.");
    }
    var answer = Trees.object();
    var decisions = answer.putArray("decisions");
    for (int i = 0; i < actions; i++) decisions.addObject().put("type", said);
    return answer;
  }
}
