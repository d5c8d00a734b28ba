package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Cells as they are typed.
@Tag("S1")
class TypedTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f(1,",
        "x = [1,\n  2",
        "t = '''a\nb",
        "x = 1 + \\",
        "if x:",
        "def f(a):\n    return a",
        "try:\n    f()\nexcept ValueError:",
        "for i in range(3):\n    print(i)",
        "x = {'a': [1, (2,"
      })
  void a_person_has_more_to_type_while_something_is_open(String text) {
    assertThat(TypedText.of(text).isUnfinished()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = 1",
        "f(1, 2)",
        "def f(a):\n    return a\n",
        "def f(a):\n    return a\nf(2)",
        "x = 'never closed",
        "f(]",
        "if x: y()",
        "",
        "# a note",
        "t = '''a\nb'''"
      })
  void what_is_whole_or_wrong_runs_at_once(String text) {
    assertThat(TypedText.of(text).isUnfinished()).isFalse();
  }

  @Test
  void a_block_that_nobody_types_ends_where_a_line_begins_at_the_left() {
    var block = TypedText.of("if x:\n    y()");
    assertThat(block.isStatement()).isFalse();
    assertThat(block.endsBefore("    z()")).isFalse();
    assertThat(block.endsBefore("")).isFalse();
    assertThat(block.endsBefore("else:")).isFalse();
    assertThat(block.endsBefore("elsewhere = 1")).isTrue();
    assertThat(block.endsBefore("z()")).isTrue();
    assertThat(TypedText.of("f(1,").endsBefore("z()")).isFalse();
    assertThat(TypedText.of("f(1)").isStatement()).isTrue();
  }

  @Test
  void the_parts_of_a_text_are_told_with_their_places() {
    var text = "for x in [1]: print('a') # b";
    var parts =
        TypedText.of(text).parts().stream()
            .map(part -> part.sort() + " " + text.substring(part.start(), part.end()))
            .collect(Collectors.joining(", "));
    assertThat(parts)
        .isEqualTo(
            "KEYWORD for, NAME x, KEYWORD in, OPERATOR [, NUMBER 1, OPERATOR ], OPERATOR :, NAME"
                + " print, OPERATOR (, STRING 'a', OPERATOR ), COMMENT # b");
    var open = TypedText.of("x = 'a\ny").parts();
    assertThat(open.get(2)).isEqualTo(new TypedText.Part(4, 6, TypedText.Sort.STRING));
    assertThat(open.getLast()).isEqualTo(new TypedText.Part(7, 8, TypedText.Sort.NAME));
  }
}
