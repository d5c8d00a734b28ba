package dev.superstep.json;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/// The text of JSON, read as tokens. Apart from [JsonMappers], whose hundreds of classes a program
/// without records in its state never needs. Immutable, safe for many threads.
final class JsonText {
  private static final int WRITTEN_NESTING_MAX = 1_000;

  private static final JsonFactory OUTSIDE = factory(JsonLimit.NESTING.most());
  private static final JsonFactory COPYING = copying();

  private JsonText() {}

  /// Limits what is read. Written values are checked by [JsonLimit] where they are to be stored,
  /// which knows what they are.
  static JsonFactory factory(int nestingMax) {
    var constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(nestingMax)
            .maxStringLength(JsonLimit.STRING.most())
            .maxNumberLength(JsonLimit.NUMBER.most())
            .maxNameLength(JsonLimit.NAME.most());
    return writing(JsonFactory.builder()).streamReadConstraints(constraints.build()).build();
  }

  private static JsonFactoryBuilder writing(JsonFactoryBuilder factory) {
    // Ends endless nesting before the stack does.
    var constraints = StreamWriteConstraints.builder().maxNestingDepth(WRITTEN_NESTING_MAX);
    return factory.streamWriteConstraints(constraints.build());
  }

  /// Copies what is written as it is.
  private static JsonFactory copying() {
    var constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(WRITTEN_NESTING_MAX)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE);
    return writing(JsonFactory.builder()).streamReadConstraints(constraints.build()).build();
  }

  /// Copies the value at which a parser stands, digit for digit.
  static Json copy(JsonParser parser) {
    var text = new StringWriter();
    try (var generator = COPYING.createGenerator(ObjectWriteContext.empty(), text)) {
      int depth = 0;
      do {
        var token = parser.currentToken();
        // As text: the same number must stay the same JSON, however often it is stored.
        if (token.isNumeric()) generator.writeNumber(parser.getString());
        else generator.copyCurrentEventExact(parser);
        if (token.isStructStart()) depth++;
        if (token.isStructEnd()) depth--;
      } while (depth > 0 && parser.nextToken() != null);
    }
    return new Json(text.toString());
  }

  /// Checks text that was never checked.
  ///
  /// @throws tools.jackson.core.JacksonException if it is not exactly one JSON value
  static Json checked(String text) {
    try (var parser = COPYING.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) throw new StreamReadException(parser, "it is empty");
      var json = copy(parser);
      if (parser.nextToken() == null) return json;
      throw new StreamReadException(parser, "more text follows the first value");
    }
  }

  /// Checks text from outside, within the limits of what is read.
  ///
  /// @throws MalformedJson if it is not exactly one JSON value
  static Json normalized(String text) {
    try (var parser = OUTSIDE.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) throw new MalformedJson("value", "it is empty", null);
      var json = copy(parser);
      if (parser.nextToken() == null) return json;
      throw new MalformedJson("value", "more text follows the first value", null);
    } catch (JacksonException e) {
      throw new MalformedJson("value", JsonMappers.explain(e), e);
    }
  }

  /// Text from outside with the fields of every object in the order of their names.
  ///
  /// @throws MalformedJson if it is not JSON
  static Json canonical(String text) {
    try (var parser = OUTSIDE.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) throw new MalformedJson("value", "it is empty", null);
      return new Json(canonical(parser));
    } catch (JacksonException e) {
      throw new MalformedJson("value", JsonMappers.explain(e), e);
    }
  }

  private static String canonical(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var fields = new TreeMap<String, String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(name, canonical(parser));
        }
        yield fields.entrySet().stream()
            .map(field -> Json.string(field.getKey()).text() + ":" + field.getValue())
            .collect(Collectors.joining(",", "{", "}"));
      }
      case START_ARRAY -> {
        var items = new ArrayList<String>();
        while (parser.nextToken() != JsonToken.END_ARRAY) items.add(canonical(parser));
        yield "[" + String.join(",", items) + "]";
      }
      default -> copy(parser).text();
    };
  }

  /// The elements of an array.
  ///
  /// @throws MalformedJson if the text is not one array
  static List<Json> elements(String text) {
    try (var parser = OUTSIDE.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new MalformedJson("list<Json>", "it is no array", null);
      }
      var elements = new ArrayList<Json>();
      while (parser.nextToken() != JsonToken.END_ARRAY) elements.add(copy(parser));
      if (parser.nextToken() == null) return elements;
      throw new MalformedJson("list<Json>", "more text follows the array", null);
    } catch (JacksonException e) {
      throw new MalformedJson("list<Json>", JsonMappers.explain(e), e);
    }
  }
}
