package dev.superstep.acp;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.files.ProposedChanges;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The questions of a thread as an editor asks them: choices by its dialog for permissions, all
/// others in the conversation. Immutable.
final class Questions {
  private static final int OPTIONS_MAX = 9;
  private static final int WORDS_MAX = 8_000;
  private static final int NAME_MAX = 80;
  private static final String ALLOW = "allow_once";
  private static final String REJECT = "reject_once";

  private final Source source;
  private final ToolCalls calls;
  private final int shown;

  /// @param shown the most characters of a difference
  Questions(Source source, ToolCalls calls, int shown) {
    this.source = source;
    this.calls = calls;
    this.shown = shown;
  }

  /// An option of a choice.
  ///
  /// @param kind in the words of the protocol
  record Option(String id, String name, String kind) {}

  /// A choice of one option.
  ///
  /// @param call that it is about
  /// @param isOwn whether the call stands for the question alone
  record Choice(ObjectNode call, boolean isOwn, List<Option> options) {}

  /// A question that is answered by choices.
  ///
  /// @param answer of the ids of the chosen options, one for each choice
  record Chosen(Interrupt asked, List<Choice> choices, Function<List<String>, Json> answer) {}

  // --- Choices ---

  /// The question as choices, if it is answered by some.
  ///
  /// @param taken the ids of the calls that other choices are about
  Optional<Chosen> choices(Interrupt asked, List<String> taken) {
    if (asked.question().equals(Review.QUESTION.name())) return Optional.of(review(asked, taken));
    if (asked.answerType().equals(Approval.class.getSimpleName())) {
      return Optional.of(
          one(
              asked,
              List.of(new Option("allow", "Allow", ALLOW), new Option("reject", "Reject", REJECT)),
              id -> Json.of(new Approval(id.equals("allow"), Optional.empty()))));
    }
    return listed(asked);
  }

  private Chosen review(Interrupt asked, List<String> taken) {
    var review = Review.QUESTION.read(asked);
    var choices = new ArrayList<Choice>();
    for (var action : review.actions()) {
      var known = calls.asked(action.name(), action.args(), taken);
      var options = new ArrayList<Option>();
      if (isAllowed(review, action.name(), "approve")) {
        options.add(new Option("approve", "Allow", ALLOW));
      }
      options.add(new Option("reject", "Reject", REJECT));
      var id = "question-" + asked.id() + "-" + choices.size();
      var call = known.orElseGet(() -> calls.unknown(id, action.name(), action.args()));
      choices.add(new Choice(call, known.isEmpty(), options));
    }
    return new Chosen(
        asked,
        choices,
        ids -> Review.QUESTION.answer().encode(new Review.Decisions(decisions(ids))));
  }

  private static boolean isAllowed(Review review, String tool, String decision) {
    return review.configs().stream()
        .filter(config -> config.tool().equals(tool))
        .allMatch(config -> config.allowed().contains(decision));
  }

  private static List<Review.Decision> decisions(List<String> ids) {
    return ids.stream()
        .map(id ->
            id.equals("approve")
                ? Review.Decision.approve()
                : new Review.Decision.Reject(Optional.empty()))
        .toList();
  }

  /// A question whose answers can be listed.
  private Optional<Chosen> listed(Interrupt asked) {
    var schema = schema(asked);
    if (Wire.text(schema, "type").equals("boolean")) {
      var both = List.of(new Option("true", "Yes", ALLOW), new Option("false", "No", REJECT));
      return Optional.of(one(asked, both, id -> Json.of(id.equals("true"))));
    }
    var given = Wire.tree(asked.payload());
    // The questions of graphs as text list their answers.
    boolean isList = given.path("prompt").isString() && !given.path("options").isEmpty();
    var values = isList ? given.path("options") : schema.path("enum");
    if (values.isEmpty() || values.size() > OPTIONS_MAX) return Optional.empty();
    var options = new ArrayList<Option>();
    for (var value : values) {
      if (!value.isString()) return Optional.empty();
      var name = value.stringValue();
      options.add(new Option(name, Wire.cut(name, NAME_MAX), ALLOW));
    }
    return Optional.of(one(asked, options, id -> answer(asked, schema, id)));
  }

  private Chosen one(Interrupt asked, List<Option> options, Function<String, Json> answer) {
    var call =
        Wire.object()
            .put("toolCallId", "question-" + asked.id())
            .put("title", Wire.cut(words(asked).lines().findFirst().orElse("?"), NAME_MAX))
            .put("kind", ToolKind.OTHER.word());
    var content = call.putArray("content").addObject().put("type", "content").putObject("content");
    content.put("type", "text").put("text", Wire.cut(body(asked), shown));
    return new Chosen(
        asked, List.of(new Choice(call, true, options)), ids -> answer.apply(ids.getFirst()));
  }

  private String body(Interrupt asked) {
    if (asked.question().equals(ProposedChanges.QUESTION.name())) {
      try {
        return "```diff\n" + ProposedChanges.QUESTION.read(asked).diff() + "\n```";
      } catch (MalformedJson _) {
        // Another question of this name.
      }
    }
    return words(asked);
  }

  // --- Texts ---

  /// The question in words, with the form of its answer.
  String text(Interrupt asked) {
    var schema = schema(asked);
    boolean isText = isText(asked, schema) || schema.isEmpty();
    if (isText) return words(asked);
    return words(asked) + "\n\nAnswer in JSON of this schema: `" + Wire.text(schema) + "`";
  }

  /// The question in words.
  String words(Interrupt asked) {
    if (source.wording().isPresent()) {
      return Wire.cut(source.wording().get().apply(asked), WORDS_MAX);
    }
    var payload = Wire.tree(asked.payload());
    if (payload.isString()) return Wire.cut(payload.stringValue(), WORDS_MAX);
    for (var name : new String[] {"message", "question", "text", "prompt"}) {
      if (payload.path(name).isString()) return Wire.cut(Wire.text(payload, name), WORDS_MAX);
    }
    return Wire.cut(asked.question().replace('_', ' ') + ": " + Wire.text(payload), WORDS_MAX);
  }

  /// An answer, and the problem with it.
  ///
  /// @param problem for the person; empty if there is none
  record Read(Json answer, Optional<String> problem) {}

  /// Reads an answer that a person wrote.
  Read read(Interrupt asked, String text) {
    var schema = schema(asked);
    return checked(asked, answer(asked, schema, text.strip()));
  }

  /// The form in which an editor may ask the question, if its answer is flat.
  Optional<AnswerForm> form(Interrupt asked) {
    return AnswerForm.of(schema(asked));
  }

  /// Checks an answer of a form.
  Read checked(Interrupt asked, Json answer) {
    try {
      return new Read(answer, question(asked).flatMap(question -> question.refusal(answer)));
    } catch (SuperstepException e) {
      return new Read(answer, Optional.of(Wire.cut(String.valueOf(e.getMessage()), WORDS_MAX)));
    }
  }

  private static Json answer(Interrupt asked, JsonNode schema, String text) {
    boolean isText = isText(asked, schema) || !schema.path("enum").isEmpty();
    return isText ? Json.string(text) : Wire.json(Wire.treeOrText(text));
  }

  private static boolean isText(Interrupt asked, JsonNode schema) {
    return asked.answerType().equals("String") || Wire.text(schema, "type").equals("string");
  }

  private JsonNode schema(Interrupt asked) {
    return question(asked)
        .map(question -> Wire.tree(JsonSchema.of(question.answer()).json()))
        .orElseGet(Wire::object);
  }

  private Optional<Question<?, ?>> question(Interrupt asked) {
    for (var one : source.graph().questions()) {
      if (one.name().equals(asked.question())) return Optional.of(one);
    }
    return Optional.empty();
  }
}
