package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.MatchValue;
import dev.superstep.repl.internal.value.PatternValue;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The methods of each type.
final class Methods {
  private static final Map<String, Method> STR = table(StrMethods.all(), StrTests.all());
  private static final Map<String, Method> LIST = table(ListMethods.all());
  private static final Map<String, Method> TUPLE = table(ListMethods.ofTuples());
  private static final Map<String, Method> DICT = table(DictMethods.all());
  private static final Map<String, Method> SET = table(SetMethods.all());
  private static final Map<String, Method> TEXT = table(StrMethods.ofTexts(), TextMethods.all());
  private static final Map<String, Method> PATTERN = table(RegexMethods.ofPatterns());
  private static final Map<String, Method> MATCH = table(RegexMethods.ofMatches());
  private static final Map<String, Method> INT = table(NumberMethods.ofInts());
  private static final Map<String, Method> REAL = table(NumberMethods.ofReals());

  private Methods() {}

  @SafeVarargs
  private static Map<String, Method> table(List<Method>... all) {
    var table = new LinkedHashMap<String, Method>();
    for (var methods : all) for (var method : methods) table.put(method.name(), method);
    return Map.copyOf(table);
  }

  static Map<String, Method> of(Value value) {
    return switch (value) {
      case Str _ -> STR;
      case ListValue _ -> LIST;
      case DictValue _ -> DICT;
      case SetValue _ -> SET;
      case TupleValue _, RangeValue _ -> TUPLE;
      case TextValue _ -> TEXT;
      case PatternValue _ -> PATTERN;
      case MatchValue _ -> MATCH;
      case Int _, BigInt _, Bool _ -> INT;
      case Real _ -> REAL;
      case Value _ -> Map.of();
    };
  }
}
