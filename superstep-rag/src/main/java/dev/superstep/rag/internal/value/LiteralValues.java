package dev.superstep.rag.internal.value;

import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Literal;
import java.util.stream.Collectors;

/// Values of literals, as JSON.
public final class LiteralValues {
  private LiteralValues() {}

  public static Json json(Literal literal) {
    return switch (literal) {
      case Literal.Text(var text) -> Json.string(text);
      case Literal.Word(var word) -> Json.string(word);
      case Literal.Decimal(var number) -> Json.parse(number.toPlainString());
      case Literal.Bool(var bool) -> Json.parse(String.valueOf(bool));
      case Literal.Null() -> Json.ofNull();
      case Literal.Time(var time) -> Json.string(time.toString());
      case Literal.Many(var values) ->
          Json.parse(
              values.stream()
                  .map(value -> json(value).text())
                  .collect(Collectors.joining(",", "[", "]")));
      case Literal.Fields(var values) ->
          Json.parse(
              values.entrySet().stream()
                  .map(e -> Json.string(e.getKey()).text() + ":" + json(e.getValue()).text())
                  .collect(Collectors.joining(",", "{", "}")));
    };
  }
}
