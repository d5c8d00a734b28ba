package dev.superstep.repl.internal.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// The search of the language against the search of Java, on texts in which parts repeat.
class SearchPropertyTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 500);

  private final Meter meter =
      new Meter(new Meter.Limits(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, 200), m -> 0, () -> 0);

  private static String text(Random random, int letters, int length) {
    var text = new StringBuilder();
    while (text.length() < length) {
      if (random.nextInt(4) == 0 && !text.isEmpty()) {
        int from = random.nextInt(text.length());
        text.append(text.substring(from, Math.min(text.length(), from + length / 3 + 1)));
      } else text.append((char) ('a' + random.nextInt(letters)));
    }
    return text.substring(0, length);
  }

  @Test
  void it_finds_what_the_search_of_java_finds() {
    for (int seed = 0; seed < CASES; seed++) {
      var random = new Random(seed);
      int letters = 1 + random.nextInt(3);
      var text = text(random, letters, random.nextInt(3_000));
      int length = 1 + random.nextInt(random.nextBoolean() ? 8 : 90);
      boolean isInside = random.nextBoolean() && text.length() > length;
      int at = isInside ? random.nextInt(text.length() - length) : 0;
      var part = isInside ? text.substring(at, at + length) : text(random, letters + 1, length);
      int from = random.nextInt(text.length() + 2);
      assertThat(Search.find(meter, text, part, from))
          .as("seed %d", seed)
          .isEqualTo(text.indexOf(part, from));
    }
  }

  @Test
  void a_part_that_nearly_occurs_everywhere_costs_no_more_than_the_length_of_the_text() {
    var text = "a".repeat(1_000_000);
    for (int length : new int[] {2, 15, 60, 5_000}) {
      long before = meter.used();
      assertThat(Search.find(meter, text, "a".repeat(length) + "b", 0)).isEqualTo(-1);
      assertThat(meter.used() - before).isBetween(900L, 5_000L);
    }
  }
}
