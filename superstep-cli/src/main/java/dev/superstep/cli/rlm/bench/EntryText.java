package dev.superstep.cli.rlm.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A generated text of entries, and what is in it. Immutable.
record EntryText(List<String> lines, List<Entry> entries) {
  private static final int LENGTH = 75;
  private static final int LINES_OF_A_USER = 15;
  private static final int USERS_MIN = 12;
  private static final int DAYS = 28;
  private static final List<String> MONTHS =
      List.of("2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06");
  private static final List<String> FRAMES =
      List.of(
          "I still think about the %s of last week.",
          "Nobody had told me about the %s before.",
          "My sister writes about the %s all day.",
          "Can anyone here explain the %s to me?",
          "We talked about the %s for half an hour.",
          "That was the third time with the %s.");

  EntryText {
    lines = List.copyOf(lines);
    entries = List.copyOf(entries);
  }

  /// A text of a number of characters, or a little less.
  static EntryText ofSize(int characters, SplittableRandom random) {
    return ofLines(Math.max(1, characters / (LENGTH + 1)), random);
  }

  /// A text of a number of lines. One topic, by chance, is more frequent than each other.
  static EntryText ofLines(int count, SplittableRandom random) {
    int users = Math.max(USERS_MIN, count / LINES_OF_A_USER);
    var topics = Topic.values();
    var favoured = topics[random.nextInt(topics.length)];
    var lines = new ArrayList<String>();
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < count; i++) {
      var topic = random.nextInt(10) == 0 ? favoured : topics[random.nextInt(topics.length)];
      var user = "%04d".formatted(1 + random.nextInt(users));
      var month = MONTHS.get(random.nextInt(MONTHS.size()));
      var thing = topic.things().get(random.nextInt(topic.things().size()));
      var said = FRAMES.get(random.nextInt(FRAMES.size())).formatted(thing);
      lines.add(line(month, 1 + random.nextInt(DAYS), user, said));
      entries.add(new Entry(user, month, topic));
    }
    return new EntryText(lines, entries);
  }

  /// A line of the length that all have, unless it says more.
  private static String line(String month, int day, String user, String said) {
    var line = "%s-%02d user %s: %s".formatted(month, day, user, said);
    return line.length() >= LENGTH ? line : line + " ".repeat(LENGTH - line.length());
  }

  /// Returns a copy in which a line says something else.
  EntryText saying(int at, String said) {
    var changed = new ArrayList<>(lines);
    var entry = entries.get(at);
    changed.set(at, line(entry.month(), 1, entry.user(), said));
    return new EntryText(changed, entries);
  }

  String text() {
    return String.join("\n", lines);
  }
}
