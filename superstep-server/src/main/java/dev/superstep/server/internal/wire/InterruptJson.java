package dev.superstep.server.internal.wire;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.server.internal.http.HttpFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Questions and their answers as clients see them. Reviews of tool calls are in the form of agent
/// inboxes. Immutable.
public final class InterruptJson {
  private final Map<String, Question<?, ?>> questions = new HashMap<>();

  public InterruptJson(Graph graph) {
    for (var question : graph.questions()) questions.put(question.name(), question);
  }

  /// A question: `{id, value}`.
  public static ObjectNode of(Interrupt question) {
    var value = Trees.of(question.payload());
    var json = Trees.object().put("id", question.id());
    json.set("value", isReview(question) ? review(value) : value);
    return json;
  }

  private static boolean isReview(Interrupt question) {
    return question.question().equals(Review.QUESTION.name())
        && question.answerType().equals(Review.QUESTION.answer().type());
  }

  /// Without what inboxes do not know, and without empty fields, which they would show.
  private static JsonNode review(JsonNode stored) {
    var json = Trees.object();
    var actions = json.putArray("action_requests");
    for (var action : stored.path("action_requests")) actions.add(withoutNulls(action));
    var configs = json.putArray("review_configs");
    for (var config : stored.path("review_configs")) configs.add(withoutNulls(config));
    return json;
  }

  private static JsonNode withoutNulls(JsonNode from) {
    var json = Trees.object();
    from.forEachEntry((name, value) -> {
      if (!value.isNull()) json.set(name, value);
    });
    return json;
  }

  /// The answers to open questions.
  ///
  /// @throws HttpFailure 422 if they do not fit
  public Answers answers(JsonNode resume, List<Interrupt> open) {
    if (open.isEmpty()) {
      throw new HttpFailure(422, "command.resume answers a question, and the thread has none open");
    }
    var all = new LinkedHashMap<Interrupt, JsonNode>();
    var byId = byId(resume, open);
    if (byId.isPresent()) all.putAll(byId.get());
    else if (open.size() == 1) all.put(open.getFirst(), resume);
    else if (resume.isArray() && resume.size() == open.size()) {
      for (int i = 0; i < open.size(); i++) all.put(open.get(i), resume.path(i));
    } else {
      throw new HttpFailure(
          422,
          ("command.resume must say which question it answers, since %d are open: give an object by"
                  + " their ids, %s")
              .formatted(open.size(), open.stream().map(Interrupt::id).toList()));
    }
    return fitting(all);
  }

  /// All of them, or none: people see at once which ones to give again.
  private Answers fitting(Map<Interrupt, JsonNode> all) {
    var answers = Answers.none();
    var refused = new ArrayList<String>();
    for (var one : all.entrySet()) {
      try {
        var answer = answer(one.getKey(), one.getValue());
        answers = answers.and(Answers.json(one.getKey().id(), answer));
      } catch (HttpFailure failure) {
        refused.add(failure.text());
      }
    }
    if (refused.isEmpty()) return answers;
    var why = String.join("; ", refused);
    throw new HttpFailure(
        422,
        all.size() == 1 ? why : why + ". None of the %d answers was taken".formatted(all.size()));
  }

  /// The answers of an object whose names are all ids of open questions.
  private static Optional<Map<Interrupt, JsonNode>> byId(JsonNode resume, List<Interrupt> open) {
    if (!resume.isObject() || resume.isEmpty()) return Optional.empty();
    var ids = new HashMap<String, Interrupt>();
    for (var one : open) ids.put(one.id(), one);
    var all = new LinkedHashMap<Interrupt, JsonNode>();
    var unknown = new ArrayList<String>();
    resume.forEachEntry((name, value) -> {
      var question = ids.get(name);
      if (question == null) unknown.add(name);
      else all.put(question, value);
    });
    if (all.isEmpty()) return Optional.empty();
    if (unknown.isEmpty()) return Optional.of(all);
    throw new HttpFailure(
        422,
        "command.resume has %s, which is no open question; open are %s"
            .formatted(unknown, ids.keySet()));
  }

  private Json answer(Interrupt question, JsonNode value) {
    var where = "command.resume for question " + question.id();
    var given = isReview(question) ? decisions(question, value, where) : value;
    var json = Trees.json(given, where);
    var known = questions.get(question.question());
    if (known == null || !known.answer().type().equals(question.answerType())) return json;
    try {
      var refusal = known.refusal(json);
      if (refusal.isEmpty()) return json;
      throw new HttpFailure(422, where + " does not fit: " + refusal.get());
    } catch (HttpFailure e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      throw new HttpFailure(422, where + " does not fit: " + e.getMessage());
    }
  }

  /// The decisions of an inbox, with the fields that each kind has.
  private static JsonNode decisions(Interrupt question, JsonNode value, String where) {
    var given = value.isArray() ? value : value.path("decisions");
    if (!given.isArray()) {
      throw new HttpFailure(422, where + " must be {\"decisions\": [...]}");
    }
    int wanted = Trees.of(question.payload()).path("action_requests").size();
    if (given.size() != wanted) {
      throw new HttpFailure(
          422,
          "%s has %d decisions, and there are %d actions".formatted(where, given.size(), wanted));
    }
    var json = Trees.object();
    var all = json.putArray("decisions");
    for (var one : given) all.add(decision(one, where));
    return json;
  }

  private static JsonNode decision(JsonNode given, String where) {
    var type = PlacedFields.required(given, "type", where);
    return switch (type) {
      case "approve" -> only(given, Set.of("type"));
      case "edit" -> {
        var json = only(given, Set.of("type"));
        var action = only(given.path("edited_action"), Set.of("name", "args"));
        json.set("edited_action", action);
        yield json;
      }
      case "reject", "respond" -> only(given, Set.of("type", "message"));
      default ->
          throw new HttpFailure(
              422,
              where
                  + " has the unknown decision `%s`; use approve, edit, reject or respond"
                      .formatted(type));
    };
  }

  private static ObjectNode only(JsonNode from, Set<String> names) {
    var json = Trees.object();
    from.forEachEntry((name, value) -> {
      if (names.contains(name)) json.set(name, value);
    });
    return json;
  }
}
