package dev.superstep.mcp.server.internal.call;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.McpAnswer;
import dev.superstep.mcp.McpElicitation;
import dev.superstep.mcp.McpQuestions;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An open question of a call as a form with flat fields, which a client shows to a person, and the
/// answer that is made of the values. Immutable.
///
/// @param asked the question
/// @param message for the person
/// @param schema of the values; empty for a page that the person is sent to
/// @param url of that page
/// @param reader makes the answer of the values
/// @param declined the answer if the person says no, if a no is an answer
/// @param request in place of a form, if the client itself answers
/// @param isApproval whether a person decides by it what may be done
public record QuestionForm(
    Interrupt asked,
    String message,
    Optional<ObjectNode> schema,
    Optional<String> url,
    Reader reader,
    Optional<Json> declined,
    Optional<ClientRequest> request,
    boolean isApproval) {
  private static final Set<String> FLAT = Set.of("string", "number", "integer", "boolean");
  private static final String VALUE = "answer";
  private static final int MESSAGE_MAX = 8_000;

  private QuestionForm(
      Interrupt asked,
      String message,
      Optional<ObjectNode> schema,
      Optional<String> url,
      Reader reader,
      Optional<Json> declined) {
    this(asked, message, schema, url, reader, declined, Optional.empty(), false);
  }

  /// Makes the answer of the values of a form.
  public interface Reader {
    /// Makes it.
    ///
    /// @throws SuperstepException if they do not fit
    Json read(JsonNode values);
  }

  static QuestionForm of(Interrupt asked, ServedTool tool) {
    var form = form(asked, tool);
    // Of a question that the graph does not declare nobody knows what it decides.
    boolean isDeclared = tool.question(asked.question()).map(Question::isApproval).orElse(true);
    boolean isApproval =
        isDeclared || asked.question().equals(Review.QUESTION.name()) || isApproval(asked);
    return new QuestionForm(
        asked,
        form.message,
        form.schema,
        form.url,
        form.reader,
        form.declined,
        form.request,
        isApproval);
  }

  private static QuestionForm form(Interrupt asked, ServedTool tool) {
    var name = asked.question();
    if (name.equals(McpQuestions.ELICITED.name())) return elicitation(asked);
    var request = ClientRequest.of(asked);
    if (request.isPresent()) return of(asked, request.get());
    if (name.equals(Review.QUESTION.name())) return review(asked);
    if (isApproval(asked)) return approval(asked);
    return of(asked, tool.question(name).map(Question::answer).map(JsonSchema::of));
  }

  private static boolean isApproval(Interrupt asked) {
    return asked.answerType().equals(Approval.class.getSimpleName());
  }

  /// The answer in values that fit.
  public Json read(JsonNode values) {
    return reader.read(known(values));
  }

  /// The values that the form has; clients may add others, which do not count.
  private JsonNode known(JsonNode values) {
    if (!values.isObject() || schema.isEmpty()) return values;
    var form = schema.get();
    boolean isClosed = form.path("additionalProperties").isBoolean();
    if (!isClosed || form.path("additionalProperties").asBoolean(true)) return values;
    var kept = Wire.object();
    for (var field : form.path("properties").properties()) {
      var value = values.path(field.getKey());
      if (!value.isMissingNode()) kept.set(field.getKey(), value);
    }
    return kept;
  }

  /// Checks values, and makes the answer.
  ///
  /// @return what is wrong, if it is not empty
  public Optional<String> problem(JsonNode values, ServedTool tool) {
    try {
      if (schema.isPresent()) {
        var found = JsonSchema.parse(Wire.json(schema.get())).check(Wire.json(known(values)));
        if (!found.isEmpty()) return Optional.of(found.getFirst().sentence());
      }
      var answer = read(values);
      return tool.question(asked.question()).flatMap(question -> question.refusal(answer));
    } catch (SuperstepException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// The answer in the reply to an input request, if it has one that fits.
  public Optional<Json> answer(JsonNode reply, ServedTool tool) {
    if (reply.isMissingNode() || misfit(reply, tool).isPresent()) return Optional.empty();
    if (request.isPresent()) return Optional.of(read(reply));
    return switch (Wire.text(reply, "action")) {
      case "accept" -> Optional.of(read(values(reply)));
      case "decline" -> declined;
      default -> Optional.empty();
    };
  }

  /// Why the reply to an input request does not fit, if it gives an answer that does not.
  public Optional<String> misfit(JsonNode reply, ServedTool tool) {
    if (reply.isMissingNode()) return Optional.empty();
    if (request.isPresent()) return problem(reply, tool);
    return Wire.text(reply, "action").equals("accept")
        ? problem(values(reply), tool)
        : Optional.empty();
  }

  private static JsonNode values(JsonNode reply) {
    return reply.path("content").isObject() ? reply.path("content") : Wire.object();
  }

  /// The question as an input request of a result.
  public ObjectNode input() {
    if (request.isPresent()) return request.get().asked();
    var json = Wire.object().put("method", "elicitation/create");
    var asks = json.putObject("params").put("message", message);
    asks.put("mode", url.isPresent() ? "url" : "form");
    url.ifPresent(page -> asks.put("url", page));
    schema.ifPresent(form -> asks.set("requestedSchema", form.deepCopy()));
    return json;
  }

  /// Why an answer in the form of the question itself does not fit, if it does not.
  public Optional<String> refusal(Json answer, ServedTool tool) {
    try {
      return tool.question(asked.question()).flatMap(question -> question.refusal(answer));
    } catch (SuperstepException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  // --- The forms ---

  private static QuestionForm elicitation(Interrupt asked) {
    var given = McpQuestions.ELICITED.read(asked);
    var form = given.schema().map(Wire::tree).flatMap(QuestionForm::object);
    Reader reader =
        values ->
            McpQuestions.ELICITED
                .answer()
                .encode(
                    form.isPresent()
                        ? McpAnswer.accept(Wire.json(values))
                        : new McpAnswer(McpAnswer.Action.ACCEPT, Optional.empty()));
    var no = McpQuestions.ELICITED.answer().encode(McpAnswer.decline());
    return new QuestionForm(asked, message(given), form, given.url(), reader, Optional.of(no));
  }

  private static String message(McpElicitation given) {
    return given.server().isEmpty() ? given.message() : given.server() + ": " + given.message();
  }

  private static Optional<ObjectNode> object(JsonNode tree) {
    return tree instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }

  private static QuestionForm of(Interrupt asked, ClientRequest request) {
    return new QuestionForm(
        asked,
        words(asked),
        Optional.of(request.answer()),
        Optional.empty(),
        request::read,
        Optional.empty(),
        Optional.of(request),
        false);
  }

  private static QuestionForm approval(Interrupt asked) {
    var form = form();
    properties(form).putObject("approved").put("type", "boolean").put("title", "Approve?");
    properties(form)
        .putObject("note")
        .put("type", "string")
        .put("title", "What do you want to add?");
    form.putArray("required").add("approved");
    Reader reader =
        values -> {
          var note = Wire.text(values, "note");
          return Json.of(
              new Approval(
                  values.path("approved").asBoolean(false),
                  note.isEmpty() ? Optional.empty() : Optional.of(note)));
        };
    var no = Json.of(new Approval(false, Optional.empty()));
    return new QuestionForm(
        asked, words(asked), Optional.of(form), Optional.empty(), reader, Optional.of(no));
  }

  private static QuestionForm review(Interrupt asked) {
    var actions = Review.QUESTION.read(asked).actions();
    var form = form();
    var required = form.putArray("required");
    for (int i = 1; i <= actions.size(); i++) {
      var choice = properties(form).putObject("decision_" + i).put("type", "string");
      choice.put("title", "May " + actions.get(i - 1).name() + " be called?");
      choice.putArray("enum").add("approve").add("reject");
      required.add("decision_" + i);
    }
    properties(form).putObject("message").put("type", "string").put("title", "Why not?");
    // Each has its share, so that a long call hides no other one.
    int share = MESSAGE_MAX / Math.max(1, actions.size());
    var message =
        actions.stream()
            .map(call -> "The agent calls %s %s".formatted(call.name(), call.args().text()))
            .map(call -> shortened(call, share))
            .collect(Collectors.joining("\n"));
    Reader reader = values -> decisions(values, actions.size(), Wire.text(values, "message"));
    return new QuestionForm(
        asked,
        message,
        Optional.of(form),
        Optional.empty(),
        reader,
        Optional.of(decisions(null, actions.size(), "A person declined.")));
  }

  private static Json decisions(@Nullable JsonNode values, int count, String why) {
    var all = new Review.Decision[count];
    for (int i = 0; i < count; i++) {
      boolean isYes = values != null && Wire.text(values, "decision_" + (i + 1)).equals("approve");
      all[i] = isYes ? Review.Decision.approve() : Review.Decision.reject(why);
    }
    return Review.QUESTION.answer().encode(Review.Decisions.of(all));
  }

  private static QuestionForm of(Interrupt asked, Optional<JsonSchema> answer) {
    var schema = answer.map(known -> Wire.tree(known.json())).orElseGet(Wire::object);
    if (isFlat(schema) && schema instanceof ObjectNode object) {
      object.remove("$schema");
      return new QuestionForm(
          asked, words(asked), Optional.of(object), Optional.empty(), Wire::json, Optional.empty());
    }
    var form = form();
    boolean isSimple = FLAT.contains(Wire.text(schema, "type"));
    if (isSimple && schema instanceof ObjectNode object) {
      object.remove("$schema");
      properties(form).set(VALUE, object);
    } else {
      properties(form)
          .putObject(VALUE)
          .put("type", "string")
          .put("description", cut("JSON of this schema: " + Wire.write(schema)));
    }
    form.putArray("required").add(VALUE);
    Reader reader =
        values ->
            isSimple
                ? Wire.json(values.path(VALUE))
                : Json.parse(values.path(VALUE).asString("null"));
    return new QuestionForm(
        asked, words(asked), Optional.of(form), Optional.empty(), reader, Optional.empty());
  }

  private static boolean isFlat(JsonNode schema) {
    if (!Wire.text(schema, "type").equals("object")) return false;
    if (schema.path("properties").isEmpty()) return false;
    for (var one : schema.path("properties")) {
      if (!FLAT.contains(Wire.text(one, "type"))) return false;
    }
    return true;
  }

  private static ObjectNode form() {
    var form = Wire.object().put("type", "object");
    form.putObject("properties");
    return form;
  }

  private static ObjectNode properties(ObjectNode form) {
    return form.withObjectProperty("properties");
  }

  private static String words(Interrupt asked) {
    var payload = Wire.tree(asked.payload());
    var text = payload.isString() ? payload.asString() : Wire.write(payload);
    return cut(asked.question().replace('_', ' ') + ": " + text);
  }

  private static String cut(String text) {
    return shortened(text, MESSAGE_MAX);
  }

  /// A text that is not longer than that, and else its begin and its end.
  private static String shortened(String text, int most) {
    if (text.length() <= most) return Wire.whole(text);
    int end = most / 4;
    return "%s [%,d characters are not shown] %s"
        .formatted(
            Wire.whole(text.substring(0, most - end)),
            text.length() - most,
            Wire.whole(text.substring(text.length() - end)));
  }

  /// The question for a model or a program that answers by another tool.
  public ObjectNode shown() {
    var json = Wire.object().put("id", asked.id()).put("message", message);
    schema.ifPresent(form -> json.set("schema", form));
    url.ifPresent(page -> json.put("url", page));
    return json;
  }

  /// The name by which a client answers it among others: that of its question, if no other one of
  /// them has it.
  public String key(List<QuestionForm> open) {
    var name = asked.question();
    long alike = open.stream().filter(one -> one.asked().question().equals(name)).count();
    return alike == 1 ? name : asked.id();
  }

  /// The name by which a client answers it in a task: no later question of the task has it, so that
  /// an answer that is sent again decides nothing that its user has not seen.
  public String taskKey() {
    return asked.question() + "-" + asked.id();
  }

  static List<QuestionForm> all(List<Interrupt> open, ServedTool tool) {
    return open.stream().map(one -> of(one, tool)).toList();
  }
}
