package dev.superstep.server.internal.api.studio;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.server.graph.ServedGraph;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Open questions as JSON, each with the schema of its answer.
final class QuestionTrees {
  // The fields in which payloads say what is asked, the likeliest first.
  private static final List<String> TEXTS = List.of("prompt", "question", "message", "text");

  private QuestionTrees() {}

  /// @param graph the one that asked, if it is served
  static ObjectNode of(Interrupt question, Optional<ServedGraph> graph) {
    var payload = StudioReplies.tree(question.payload());
    var tree =
        StudioReplies.object()
            .put("id", question.id())
            .put("node", question.node())
            .put("task", question.task())
            .put("question", question.question())
            .put("answer_type", question.answerType())
            .put("text", text(payload))
            .put("review", isReview(question, payload));
    tree.set("payload", payload);
    var options = payload.path("options");
    if (options.isArray()) tree.set("options", options);
    tree.set("schema", schema(question, graph));
    return tree;
  }

  /// Returns whether calls of tools wait for decisions, in the form that agent inboxes know.
  private static boolean isReview(Interrupt question, JsonNode payload) {
    boolean isShaped =
        payload.path("action_requests").isArray() && payload.path("review_configs").isArray();
    return isShaped || question.question().equals(Review.QUESTION.name());
  }

  private static String text(JsonNode payload) {
    if (payload.isString()) return payload.asString();
    for (var name : TEXTS) {
      var value = payload.get(name);
      if (value != null && value.isString()) return value.asString();
    }
    return "";
  }

  /// A schema that accepts everything, where nothing is known of the answer.
  private static JsonNode schema(Interrupt question, Optional<ServedGraph> graph) {
    return graph.stream()
        .flatMap(served -> served.graph().questions().stream())
        .filter(each -> each.name().equals(question.question()))
        .map(Question::answer)
        .findFirst()
        .map(codec -> StudioReplies.tree(JsonSchema.of(codec).json()))
        .orElseGet(() -> known(question.answerType()));
  }

  /// The types that questions inside of subgraphs are answered by most.
  private static JsonNode known(String type) {
    return switch (type) {
      case "String" -> StudioReplies.object().put("type", "string");
      case "Boolean", "boolean" -> StudioReplies.object().put("type", "boolean");
      case "Integer", "Long", "int", "long" -> StudioReplies.object().put("type", "integer");
      case "Approval" ->
          StudioReplies.tree(JsonSchema.of(dev.superstep.node.Approval.class).json());
      default -> StudioReplies.object();
    };
  }
}
