package dev.superstep.repl.internal.builtin;

import dev.superstep.language.Suggestion;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.ErrorValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.MatchValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.PatternValue;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.ResultValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// All that can stand behind a dot: members of modules, fields of results and exceptions, methods.
public final class Attributes {
  private Attributes() {}

  /// The method of a value's type, or `null`.
  public static @Nullable Method method(Value value, String name) {
    return Methods.of(value).get(name);
  }

  /// The names that can stand behind the dot of a value.
  public static Set<String> names(Value value) {
    var names = new TreeSet<>(Methods.of(value).keySet());
    if (value instanceof ModuleValue module) names.addAll(module.members().keySet());
    if (value instanceof ResultValue) names.addAll(Set.of("ok", "value", "error"));
    return names;
  }

  /// The value of an attribute.
  public static Value get(Meter m, Value value, String name) {
    var field = field(m, value, name);
    if (field != null) return field;
    var method = method(value, name);
    if (method != null) {
      m.charge(48);
      return new BoundMethod(value, method);
    }
    throw missing(value, name);
  }

  /// The error about an attribute that is not there.
  public static Raise missing(Value value, String name) {
    var names =
        value instanceof ModuleValue module
            ? module.members().keySet()
            : Methods.of(value).keySet();
    var near = Suggestion.nearest(name, names).map(n -> ". Did you mean: '" + n + "'?").orElse("");
    var owner =
        value instanceof ModuleValue module
            ? "module '" + module.name() + "'"
            : "'" + value.typeName() + "' object";
    return Raise.attribute(owner + " has no attribute '" + name + "'" + near);
  }

  /// The value of a field, or `null` if there is none of this name.
  public static @Nullable Value field(Meter m, Value value, String name) {
    return switch (value) {
      case ModuleValue module -> module.members().get(name);
      case TypeValue type -> type.member(name);
      case ResultValue result ->
          switch (name) {
            case "ok" -> dev.superstep.repl.internal.value.Bool.of(result.ok());
            case "value", "text" -> result.value();
            case "error" -> result.error();
            default -> null;
          };
      case ErrorValue error -> error(m, error, name);
      case RangeValue range ->
          switch (name) {
            case "start" -> Int.of(range.start());
            case "stop" -> Int.of(range.stop());
            case "step" -> Int.of(range.step());
            default -> null;
          };
      case PatternValue pattern -> name.equals("pattern") ? new Str(pattern.source()) : null;
      case MatchValue match ->
          switch (name) {
            case "string" -> match.text();
            case "re" -> match.pattern();
            default -> null;
          };
      case Value _ -> null;
    };
  }

  private static @Nullable Value error(Meter m, ErrorValue error, String name) {
    return switch (name) {
      case "args" -> TupleValue.of(m, error.args().clone());
      case "code" -> error.type() == ErrorType.HOST ? new Str(error.code()) : null;
      case "message" -> Str.of(m, Repr.message(m, error));
      default -> null;
    };
  }

  /// Calls a method, or a member of a module.
  public static Map<String, Method> methods(Value value) {
    return Methods.of(value);
  }

  /// The text behind a large text, for methods that need all of it.
  static Str whole(Meter m, Value self) {
    if (self instanceof TextValue text) return Str.of(m, text.read(m, 0, text.length()));
    if (self instanceof Str text) return text;
    throw Raise.type("expected str, got " + self.typeName());
  }
}
