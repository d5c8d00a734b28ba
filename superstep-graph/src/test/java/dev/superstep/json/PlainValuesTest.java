package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The short way and the mapper must agree on everything. A list always goes by the mapper, so it
/// is what a single value is compared with.
class PlainValuesTest {
  private static final int CASES = 5_000;
  private static final String LETTERS = "ab z~ \"\\/\b\n\t\u007f\u0080é€\ud83d\ude00\ud800\u2028";

  @Test
  void text_is_written_and_read_as_by_the_mapper() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < CASES; i++) {
      var text = new StringBuilder();
      for (int j = random.nextInt(8); j > 0; j--) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      agree(String.class, text.toString());
    }
  }

  @Test
  void numbers_are_written_and_read_as_by_the_mapper() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < CASES; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      agree(Long.class, number);
      agree(Integer.class, (int) number);
    }
    for (var number : List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)) agree(Long.class, number);
    for (var number : List.of(Integer.MIN_VALUE, Integer.MAX_VALUE)) agree(Integer.class, number);
    agree(Boolean.class, true);
    agree(Boolean.class, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "-0",
        "00",
        "01",
        "-01",
        "+1",
        "1.0",
        "1e3",
        "1 ",
        " 1",
        "1,2",
        "0x1",
        "١",
        "999999999",
        "2147483648",
        "-2147483649",
        "9223372036854775808",
        "true",
        "True",
        "false ",
        "null",
        "\"",
        "\"\"",
        "\"a",
        "a\"",
        "\"a\"b\"",
        "\"\\u0041\"",
        "\"\\",
        "\"\n\"",
        "\"\t\"",
        "\"12\"",
        "\"true\"",
        "[]",
        "{}",
        "[1]",
        "\"a\" \"b\"",
        "tru",
        "1 2"
      })
  void what_is_read_is_what_the_mapper_reads(String text) {
    for (var type : List.of(String.class, Long.class, Integer.class, Boolean.class)) {
      assertThat(read(type, text)).as("%s as %s", text, type).isEqualTo(mapped(type, text));
    }
  }

  private static <T> void agree(Class<T> type, T value) {
    var plain = Codec.of(type).encode(value);
    assertThat("[" + plain.text() + "]")
        .isEqualTo(Codec.listOf(type).encode(List.of(value)).text());
    assertThat(Codec.of(type).decode(plain)).isEqualTo(read(type, plain.text()).getFirst());
    assertThat(read(type, plain.text())).isEqualTo(mapped(type, plain.text()));
  }

  /// What was read, or nothing if it was refused.
  private static List<Object> read(Class<?> type, String text) {
    try {
      return List.of(Codec.of(type).decode(Json.unchecked(text)));
    } catch (MalformedJson e) {
      return List.of();
    }
  }

  private static List<Object> mapped(Class<?> type, String text) {
    try {
      var read = new ArrayList<Object>(Codec.listOf(type).decode(Json.parse("[" + text + "]")));
      // Several values, or none, are not one; and null is no value of its own.
      return read.size() == 1 && read.getFirst() != null ? read : List.of();
    } catch (MalformedJson e) {
      return List.of();
    }
  }
}
