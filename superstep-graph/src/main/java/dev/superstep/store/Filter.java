package dev.superstep.store;

import dev.superstep.json.Json;
import java.util.Collection;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// A condition on the value of an item, at a place in it. The place is a JSON pointer:
/// `/address/city`, `/tags/0`, or `""` for the whole value. The value to compare with is of a
/// closed type, as in a [Put]. Immutable.
///
/// Numbers are equal by value (1 is 1.0), objects whatever the order of their properties. Numbers
/// have an order and strings have one, by code points; nothing else has, and nothing is converted.
public final class Filter {
  private final String path;
  private final JsonPointer place;
  private final Comparison comparison;
  private final List<JsonNode> operands;

  private enum Comparison {
    EQUAL,
    NOT_EQUAL,
    GREATER,
    NOT_LESS,
    LESS,
    NOT_GREATER,
    IN,
    EXISTS,
    MISSING
  }

  private Filter(String path, Comparison comparison, List<Object> operands) {
    this.path = path;
    this.place = Values.pointer(path);
    this.comparison = comparison;
    this.operands = operands.stream().map(Filter::node).toList();
  }

  /// The value is there and equal.
  public static Filter eq(String path, Object value) {
    return new Filter(path, Comparison.EQUAL, List.of(value));
  }

  /// The opposite of [#eq]: the value is not there, or another.
  public static Filter ne(String path, Object value) {
    return new Filter(path, Comparison.NOT_EQUAL, List.of(value));
  }

  /// The value is greater.
  public static Filter gt(String path, Object value) {
    return new Filter(path, Comparison.GREATER, List.of(value));
  }

  /// The value is greater or equal.
  public static Filter gte(String path, Object value) {
    return new Filter(path, Comparison.NOT_LESS, List.of(value));
  }

  /// The value is less.
  public static Filter lt(String path, Object value) {
    return new Filter(path, Comparison.LESS, List.of(value));
  }

  /// The value is less or equal.
  public static Filter lte(String path, Object value) {
    return new Filter(path, Comparison.NOT_GREATER, List.of(value));
  }

  /// The value equals one of these.
  public static Filter in(String path, Collection<?> values) {
    return new Filter(path, Comparison.IN, List.copyOf(values));
  }

  /// There is a value, be it `null`.
  public static Filter exists(String path) {
    return new Filter(path, Comparison.EXISTS, List.of());
  }

  /// There is no value, not even `null`.
  public static Filter missing(String path) {
    return new Filter(path, Comparison.MISSING, List.of());
  }

  /// Returns whether a value fulfils the condition.
  public boolean matches(Json value) {
    return matches(Values.parse(value));
  }

  boolean matches(JsonNode root) {
    var found = root.at(place);
    return switch (comparison) {
      case EQUAL, IN -> isAny(found);
      case NOT_EQUAL -> !isAny(found);
      case GREATER -> isOrdered(found) && order(found) > 0;
      case NOT_LESS -> isOrdered(found) && order(found) >= 0;
      case LESS -> isOrdered(found) && order(found) < 0;
      case NOT_GREATER -> isOrdered(found) && order(found) <= 0;
      case EXISTS -> !found.isMissingNode();
      case MISSING -> found.isMissingNode();
    };
  }

  @Override
  public String toString() {
    return path + " " + comparison + " " + operands;
  }

  private boolean isAny(JsonNode found) {
    return operands.stream().anyMatch(operand -> Values.areEqual(found, operand));
  }

  private boolean isOrdered(JsonNode found) {
    return Values.areOrdered(found, operands.getFirst());
  }

  private int order(JsonNode found) {
    return Values.compare(found, operands.getFirst());
  }

  private static JsonNode node(Object value) {
    return Values.parse(value instanceof Json json ? json : Json.of(value));
  }
}
