package dev.superstep.terminal;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.schema.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// The strict form of a model's reply: one JSON object and nothing around it. Immutable.
///
/// @param <T> what is read from it
final class ReplyForm<T> {
  private final String name;
  private final Reader<T> reader;
  private final JsonSchema schema;

  @FunctionalInterface
  private interface Reader<T> {
    Read<T> read(Json json);
  }

  private ReplyForm(String name, JsonSchema schema, Reader<T> reader) {
    this.name = name;
    this.schema = schema;
    this.reader = reader;
  }

  /// A form whose fields are those of a record, with further checks.
  ///
  /// @param check makes the value, or adds problems
  static <R, T> ReplyForm<T> of(
      String name, Class<R> fields, BiFunction<R, List<FormProblem>, T> check) {
    var codec = Codec.of(fields);
    var schema = JsonSchema.of(fields);
    return new ReplyForm<>(
        name,
        schema,
        json -> {
          var problems = new ArrayList<FormProblem>();
          for (var violation : schema.check(json)) {
            problems.add(new FormProblem(FormProblem.Code.WRONG_FIELDS, violation.sentence()));
          }
          if (!problems.isEmpty()) return new Read.Bad<>(problems);
          var value = check.apply(codec.decode(json), problems);
          return problems.isEmpty() ? new Read.Good<>(value) : new Read.Bad<>(problems);
        });
  }

  /// A reply as it was read.
  sealed interface Read<T> {
    /// It has the form.
    record Good<T>(T value) implements Read<T> {}

    /// It has not.
    record Bad<T>(List<FormProblem> problems) implements Read<T> {
      public Bad {
        problems = List.copyOf(problems);
      }
    }
  }

  String name() {
    return name;
  }

  Json schema() {
    return schema.json();
  }

  Read<T> read(String text) {
    Json json;
    try {
      json = Json.parse(text.strip());
    } catch (MalformedJson e) {
      return noObject(String.valueOf(e.getMessage()));
    }
    if (!json.text().startsWith("{")) return noObject("It is no object.");
    try {
      return reader.read(json);
    } catch (MalformedJson e) {
      var message = String.valueOf(e.getMessage());
      return new Read.Bad<>(List.of(new FormProblem(FormProblem.Code.WRONG_FIELDS, message)));
    }
  }

  private Read<T> noObject(String why) {
    var message = "Answer with one JSON object and nothing before or after it. " + why;
    return new Read.Bad<>(List.of(new FormProblem(FormProblem.Code.NOT_JSON, message)));
  }
}
