package dev.superstep.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRedactionTest {
  private static final String VALUE = "zk/Prod+7Qx9Rm2Tb5Wn8Yc4Vd1Lf6wxyz";
  private static final Key KEY = new Key("VENDOR_KEY", VALUE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zk/P...wxyz",
        "zk/P****************************wxyz",
        "zk/Prod+7Qx9…wxyz",
        "zk/Prod********wxyz.",
        "********wxyz",
        "`...f6wxyz`",
        "zk/P•••••",
        "zk/Prod+7Qx9Rm2Tb5",
        "Rm2Tb5Wn8Yc4Vd1",
        "x-7Qx9Rm2Tb5Wn-y"
      })
  void a_part_of_a_key_that_a_vendor_echoes_is_not_shown(String echo) {
    var shown = KEY.hide("Incorrect API key provided: " + echo + " You can find yours at home.");
    assertThat(shown)
        .startsWith("Incorrect API key provided: ")
        .contains("***")
        .endsWith(" You can find yours at home.")
        .doesNotContain("wxyz")
        .doesNotContain("zk/P")
        .doesNotContain("Rm2T");
  }

  @Test
  void a_key_that_is_encoded_is_not_shown() {
    var bytes = VALUE.getBytes(UTF_8);
    for (int shift = 0; shift < 4; shift++) {
      var inside = ("u".repeat(shift) + VALUE + "tail").getBytes(UTF_8);
      for (var encoder :
          new Base64.Encoder[] {
            Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getEncoder().withoutPadding()
          }) {
        var shown = KEY.hide("Basic " + encoder.encodeToString(inside) + " was refused");
        assertThat(longestSecret(shown, encoder.encodeToString(inside))).isLessThan(12);
        assertThat(KEY.hide(encoder.encodeToString(bytes))).hasSizeLessThan(8);
      }
    }
    assertThat(KEY.hide("?key=" + URLEncoder.encode(VALUE, UTF_8) + "&a")).isEqualTo("?key=***&a");
    assertThat(KEY.hide("{\"k\":\"zk\\/Prod+7Qx9Rm2Tb5Wn8Yc4Vd1Lf6wxyz\"}"))
        .isEqualTo("{\"k\":\"***\"}");
  }

  /// The length of the longest part of one text that is in the other.
  private static int longestSecret(String shown, String secret) {
    int longest = 0;
    for (int from = 0; from < secret.length(); from++) {
      int to = from + longest + 1;
      while (to <= secret.length() && shown.contains(secret.substring(from, to))) {
        longest = to++ - from;
      }
    }
    return longest;
  }

  @Test
  void control_sequences_do_not_reach_a_terminal_and_do_not_hide_a_key() {
    var split = VALUE.substring(0, 9) + "\u200B\u001B[0m" + VALUE.substring(9);
    assertThat(
            KEY.hide("\u001B[2J\u001B]0;title\u0007Bad key " + split + "\u202E\u0000!\u009B31m?"))
        .isEqualTo("Bad key ***!?");
    assertThat(KEY.hide("\u001B]8;;http://x")).isEmpty();
    assertThat(KEY.hide("one\r\ntwo\tthree ü 漢 😀")).isEqualTo("one \ntwo\tthree ü 漢 😀");
  }

  @Test
  void a_foreign_key_is_not_shown() {
    var other = "sk-proj-" + "q7W3e9R1".repeat(5);
    assertThat(KEY.hide("Not " + other + " here")).isEqualTo("Not [redacted api key] here");
    assertThat(Key.NONE.hide("Not " + other + " here")).isEqualTo("Not [redacted api key] here");
  }

  @Test
  void words_that_have_nothing_of_the_key_stay() {
    var text = "The model `gpt-5.2` ... is overloaded -- try again in 20 s (zk, xyz, Prod).";
    assertThat(KEY.hide(text)).isEqualTo(text);
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void a_large_error_takes_work_that_grows_evenly() {
    for (var piece : new String[] {"*", "zk/P", VALUE.substring(0, 8), "\u001B[", ".", "zk..."}) {
      KEY.hide(piece.repeat(1_000_000 / piece.length()));
    }
  }
}
