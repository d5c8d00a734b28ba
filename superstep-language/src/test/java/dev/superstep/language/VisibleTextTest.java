package dev.superstep.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Nothing that is shown makes a terminal do anything, and nothing in a command is unseen.
@Tag("C37")
class VisibleTextTest {
  private static final List<String> BLANKS =
      List.of("\u00A0", "\u2003", "\u3000", "\u2800", "\u3164", "\u1160", "\uFFA0", "\uE000");

  @Test
  void every_character_that_acts_is_shown_as_its_number() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      var text = "a" + Character.toString(c) + "b";
      for (var shown : List.of(VisibleText.of(text), VisibleText.exact(text))) {
        assertThat(shown.codePoints().filter(VisibleTextTest::isDangerous)).as("%x", c).isEmpty();
      }
    }
  }

  private static boolean isDangerous(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c != '\n' && c != '\t';
      case Character.FORMAT -> c != 0x200D;
      case Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> c >= 0xE0000 && c <= 0xE0FFF;
    };
  }

  @Test
  void what_is_approved_shows_blanks_and_joiners_that_prose_may_have() {
    for (var blank : BLANKS) {
      assertThat(VisibleText.exact("a" + blank + "b")).startsWith("a<U+").endsWith(">b");
    }
    assertThat(VisibleText.exact("l\u200Ds")).isEqualTo("l<U+200D>s");
    assertThat(VisibleText.of("l\u200Ds \u00A0")).isEqualTo("l\u200Ds \u00A0");
  }

  @Test
  void texts_in_all_scripts_and_emoji_stay_as_they_are() {
    for (var text : List.of("Grüße, 世界", "👩‍💻 ❤️ 👍🏽", "नमस्ते", "x\n\ty", "")) {
      assertThat(VisibleText.exact(text)).isEqualTo(text);
      assertThat(VisibleText.of(text)).isEqualTo(text);
    }
  }

  @Test
  void a_line_has_no_line_breaks() {
    assertThat(VisibleText.line(" a \r\n\tb\u2028c\n")).isEqualTo("a b c");
    assertThat(VisibleText.exactLine("a\n\tb")).isEqualTo("a<U+000A><U+0009>b");
  }
}
