package dev.superstep.eval.dataset;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A case of a dataset: an input, and what is expected of it. Immutable; the `with` methods return
/// changed copies.
///
/// @param id unique in its dataset, 1 to 200 characters
/// @param input what the subject is given: for an agent a text, or `{"messages": [...]}`
/// @param expected what checks compare the output with
/// @param tools the tool calls that are expected, in order
/// @param tags to select cases by
/// @param metadata for people; no part of the case's [#digest]
/// @param answers to questions that a person would be asked, by the question's name. A review of
///   tool calls may be answered by the text `approve`, `reject` or `reject: reason`
/// @param ending how a good trial ends; [Ending#ANSWERED] unless set
public record Case(
    String id,
    Json input,
    Optional<Json> expected,
    List<ExpectedCall> tools,
    List<String> tags,
    Map<String, String> metadata,
    Map<String, Json> answers,
    Ending ending) {
  static final int ID_MAX = 200;

  public Case {
    if (id.isBlank() || id.length() > ID_MAX || id.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "id must have 1 to " + ID_MAX + " characters and no control characters");
    }
    tools = List.copyOf(tools);
    tags = List.copyOf(tags);
    metadata = Map.copyOf(metadata);
    answers = Map.copyOf(answers);
  }

  /// A case that gives a text.
  public static Case of(String id, String input) {
    return of(id, Json.string(input));
  }

  /// A case that gives a JSON value.
  public static Case of(String id, Json input) {
    return new Case(
        id, input, Optional.empty(), List.of(), List.of(), Map.of(), Map.of(), Ending.ANSWERED);
  }

  /// Returns a copy that expects this text.
  public Case withExpected(String text) {
    return withExpected(Json.string(text));
  }

  /// Returns a copy that expects this value.
  public Case withExpected(Json value) {
    return new Case(id, input, Optional.of(value), tools, tags, metadata, answers, ending);
  }

  /// Returns a copy that expects these tool calls.
  public Case withTools(ExpectedCall... calls) {
    return new Case(id, input, expected, List.of(calls), tags, metadata, answers, ending);
  }

  /// Returns a copy with more tags.
  public Case withTags(String... more) {
    var all = new ArrayList<>(tags);
    all.addAll(List.of(more));
    return new Case(id, input, expected, tools, all, metadata, answers, ending);
  }

  /// Returns a copy with an entry of metadata.
  public Case withMetadata(String name, String value) {
    var all = new LinkedHashMap<>(metadata);
    all.put(name, value);
    return new Case(id, input, expected, tools, tags, all, answers, ending);
  }

  /// Returns a copy that answers a question.
  ///
  /// @param question its name
  public Case withAnswer(String question, Json answer) {
    var all = new LinkedHashMap<>(answers);
    all.put(question, answer);
    return new Case(id, input, expected, tools, tags, metadata, all, ending);
  }

  /// Returns a copy whose good trials end in this way.
  public Case withEnding(Ending expectedEnding) {
    return new Case(id, input, expected, tools, tags, metadata, answers, expectedEnding);
  }

  /// The text of the input: a JSON string as it is, anything else as JSON.
  public String inputText() {
    return JsonValues.text(input);
  }

  /// The digest of everything that a result depends on. Two cases with one id and different digests
  /// are different cases.
  public String digest() {
    return Digests.of(CaseFields.of(this, false).toString());
  }
}
