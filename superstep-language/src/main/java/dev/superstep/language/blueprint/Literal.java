package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.StringLiterals;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A value that stands in a source as it is. Everything that can be made can be written. Immutable.
public sealed interface Literal {
  /// A string.
  record Text(String value) implements Literal {
    public Text {
      checkText(value);
    }
  }

  /// A number, as exact as it is written; at most 40 characters.
  record Decimal(BigDecimal value) implements Literal {
    private static final int LENGTH_MAX = 40;

    public Decimal {
      if (value.scale() > LENGTH_MAX || value.precision() - value.scale() > LENGTH_MAX) {
        throw new IllegalArgumentException("a number is too long");
      }
      if (value.scale() < 0) value = value.setScale(0);
      if (value.toPlainString().length() > LENGTH_MAX) {
        throw new IllegalArgumentException("a number is too long");
      }
    }
  }

  /// A bare word.
  record Word(String value) implements Literal {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public Word {
      if (!WORD.matcher(value).matches() || isConstant(value)) {
        throw new IllegalArgumentException("`" + value + "` is no word");
      }
    }

    private static boolean isConstant(String value) {
      return value.equals("true") || value.equals("false") || value.equals("null");
    }
  }

  /// True or false.
  record Bool(boolean value) implements Literal {}

  /// The word `null`.
  record Null() implements Literal {}

  /// A duration.
  record Time(Duration value) implements Literal {
    public Time {
      checkDuration(value);
    }
  }

  /// Values in brackets.
  record Many(List<Literal> values) implements Literal {
    public Many {
      values = List.copyOf(values);
    }
  }

  /// Keys and values in braces, in their order.
  record Fields(Map<String, Literal> values) implements Literal {
    public Fields {
      values.keySet().forEach(Literal::checkText);
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  static Literal of(String text) {
    return new Text(text);
  }

  static Literal of(long number) {
    return new Decimal(BigDecimal.valueOf(number));
  }

  /// Refuses a text that cannot be written.
  ///
  /// @throws IllegalArgumentException if it holds a control character or half a character
  static void checkText(String text) {
    StringLiterals.refusal(text)
        .ifPresent(found -> {
          throw new IllegalArgumentException("a text holds " + found);
        });
  }

  /// Refuses a duration that cannot be written.
  ///
  /// @throws IllegalArgumentException if it is negative or too long
  static void checkDuration(Duration value) {
    if (value.isNegative() || value.compareTo(Durations.MAX) > 0) {
      throw new IllegalArgumentException("a duration is not in bounds: " + value);
    }
  }
}
