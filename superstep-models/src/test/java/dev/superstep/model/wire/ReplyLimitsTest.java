package dev.superstep.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyLimitsTest {
  private static final ReplyLimits SMALL = new ReplyLimits(10_000, 20_000, 50_000, 5_000, 3);

  private final ReplyMemory memory = new ReplyMemory(1L << 26, 1 << 20);
  private final ReplyMeter intake =
      new ReplyMeter(SMALL, memory, why -> new ModelException(Kind.TOO_LARGE, why));

  @Test
  void an_environment_sets_limits() {
    var set =
        Environment.of(Map.of("SUPERSTEP_REPLY_LINE_MAX", " 7 ", "SUPERSTEP_REPLY_CALLS_MAX", "5"));
    var limits = ReplyLimits.of(set);
    assertThat(limits.line()).isEqualTo(7);
    assertThat(limits.calls()).isEqualTo(5);
    assertThat(limits.kept()).isEqualTo(ReplyLimits.standard().kept());
    assertThat(ReplyLimits.of(Environment.of(Map.of()))).isEqualTo(ReplyLimits.standard());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "99999999999999999999", "2147483647"})
  void a_limit_that_is_none_is_refused(String text) {
    var set = Environment.of(Map.of("SUPERSTEP_REPLY_EVENT_MAX", text));
    assertThatThrownBy(() -> ReplyLimits.of(set))
        .isInstanceOf(ModelException.class)
        .hasMessageStartingWith("SUPERSTEP_REPLY_EVENT_MAX is `" + text + "`. Write a number");
  }

  @Test
  void lines_are_those_of_a_reader_of_lines() throws IOException {
    var texts =
        List.of("", "\n", "a", "a\n", "\r\n", "a\r\nb\r\r\nc\n\n\rä😀\r\n", "a\rb\n", "\n\r\n\r");
    for (var text : texts) {
      for (int shift = 0; shift < 3; shift++) {
        var all = "x".repeat(shift * 4_095) + text;
        assertThat(lines(all)).as("%s", text).isEqualTo(expected(all));
      }
    }
    var long1 = "y".repeat(8_191) + "\r\n" + "z".repeat(8_192) + "\n";
    assertThat(lines(long1)).isEqualTo(expected(long1));
    intake.close();
    assertThat(memory.reserved()).isZero();
  }

  private List<String> lines(String text) throws IOException {
    var source = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    var roomy = new ReplyLimits(100_000, 100_000, 1_000_000, 5_000, 3);
    try (var counted = new ReplyMeter(roomy, memory, IllegalLine::of)) {
      var lines = new ReplyLines(source, counted);
      var all = new ArrayList<String>();
      for (var line = lines.next(); line != null; line = lines.next()) all.add(line);
      return all;
    }
  }

  private static List<String> expected(String text) {
    return new BufferedReader(new StringReader(text)).lines().toList();
  }

  private static final class IllegalLine {
    private static ModelException of(String why) {
      return new ModelException(Kind.TOO_LARGE, why);
    }
  }

  @Test
  void a_line_that_is_longer_than_it_may_be_is_not_read_to_its_end() {
    var source = new ByteArrayInputStream(new byte[1_000_000]);
    var lines = new ReplyLines(source, intake);
    assertThatThrownBy(lines::next)
        .isInstanceOf(ModelException.class)
        .hasMessage(
            "sent a line of more than 10000 bytes. Raise SUPERSTEP_REPLY_LINE_MAX if it may");
    assertThat(source.available()).isGreaterThan(900_000);
    intake.close();
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void the_memory_of_all_replies_is_limited_except_for_small_ones() {
    var others = new ArrayList<ReplyMeter>();
    for (int i = 0; i < 16; i++) {
      var other = new ReplyMeter(SMALL, memory, IllegalLine::of);
      other.hold(65_536);
      others.add(other);
    }
    assertThatThrownBy(() -> intake.hold(65_537)).hasMessageContaining("no memory is left");
    intake.hold(65_536);
    others.getFirst().close();
    others.get(1).close();
    intake.hold(1);
    others.forEach(ReplyMeter::close);
    intake.close();
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void large_texts_are_read_one_after_another() throws Exception {
    int whole = memory.enter(memory.longest(), Duration.ZERO);
    assertThat(whole).isPositive();
    assertThat(memory.enter(100_000, Duration.ofMillis(1))).isNegative();
    assertThat(memory.enter(1_000, Duration.ZERO)).isZero();
    memory.leave(whole);
    int again = memory.enter(100_000, Duration.ZERO);
    assertThat(again).isPositive();
    memory.leave(again);
  }

  @Test
  void an_event_is_limited_to_a_fraction_of_a_small_heap() {
    var small = new ReplyMemory(16L << 20, 4L << 20);
    var few = new ReplyMeter(ReplyLimits.standard(), small, IllegalLine::of);
    few.event(16L * 1024 * 16);
    assertThatThrownBy(() -> few.event((16L << 20) / 64 + 1))
        .hasMessageContaining("Give the process more memory");
  }
}
