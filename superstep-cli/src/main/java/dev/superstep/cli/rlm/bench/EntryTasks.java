package dev.superstep.cli.rlm.bench;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The tasks about entries. The same seed and size give the same task.
final class EntryTasks {
  private static final String ABOUT =
      "Each line of the text is an entry: a date, a user, and what the user wrote. Each entry is"
          + " about one of the topics "
          + Topic.titles()
          + ", which it does not name.";
  private static final List<String> TOWNS =
      List.of("Tarvik", "Orlo", "Medden", "Quist", "Halmar", "Brenna", "Sollen", "Ivar");
  private static final int USERS_ASKED = 10;

  private EntryTasks() {}

  private static SplittableRandom random(int size, long seed) {
    return new SplittableRandom(seed * 31 + size);
  }

  private static Topic topic(SplittableRandom random) {
    var all = List.copyOf(EnumSet.allOf(Topic.class));
    return all.get(random.nextInt(all.size()));
  }

  /// Counting in a number of lines, as the simulation of the mechanism does it.
  static Task lines(int count, long seed) {
    var random = random(count, seed);
    return count(EntryText.ofLines(count, random), topic(random));
  }

  static Task count(int size, long seed) {
    var random = random(size, seed);
    return count(EntryText.ofSize(size, random), topic(random));
  }

  private static Task count(EntryText text, Topic topic) {
    var ask = "How many entries are about " + topic.title() + "?";
    var parts = Map.of("ask", ask, "known", topic.known());
    var truth = new Truth.Count(many(text, entry -> entry.topic() == topic));
    return new Task(text.text(), ABOUT, ask + " Answer with the number alone.", parts, truth);
  }

  private static long many(EntryText text, Predicate<Entry> which) {
    return text.entries().stream().filter(which).count();
  }

  static Task needle(int size, long seed) {
    var random = random(size, seed);
    var text = EntryText.ofSize(size, random);
    var town = TOWNS.get(random.nextInt(TOWNS.size()));
    var code = String.valueOf(10_000 + random.nextInt(90_000));
    int at = random.nextInt(text.lines().size());
    var hidden = text.saying(at, "The access code of %s is %s.".formatted(town, code));
    var ask = "What is the access code of " + town + "?";
    var about = "Each line of the text is an entry: a date, a user, and what the user wrote.";
    return new Task(
        hidden.text(),
        about,
        ask + " Answer with the code alone.",
        Map.of("ask", ask, "town", town),
        new Truth.Name(code));
  }

  static Task frequent(int size, long seed) {
    for (long attempt = 0; ; attempt++) {
      var text = EntryText.ofSize(size, random(size, seed + attempt * 1_000_003));
      var counts = new EnumMap<Topic, Long>(Topic.class);
      for (var entry : text.entries()) counts.merge(entry.topic(), 1L, Long::sum);
      long most = counts.values().stream().max(Long::compare).orElseThrow();
      var first = counts.entrySet().stream().filter(e -> e.getValue() == most).toList();
      if (first.size() > 1) continue;
      var ask = "Which topic do most entries have?";
      var known =
          List.of(Topic.values()).stream()
              .map(topic -> "\"%s\": \"%s\"".formatted(topic.title(), topic.known()))
              .collect(Collectors.joining(", ", "{", "}"));
      var all = List.of(Topic.values()).stream().map(Topic::title).collect(Collectors.toSet());
      var truth = new Truth.Choice(first.getFirst().getKey().title(), all);
      return new Task(
          text.text(),
          ABOUT,
          ask + " Answer with the topic alone.",
          Map.of("ask", ask, "known", known),
          truth);
    }
  }

  static Task users(int size, long seed) {
    var random = random(size, seed);
    var text = EntryText.ofSize(size, random);
    var topic = topic(random);
    var sample = text.entries().get(random.nextInt(text.entries().size()));
    var users = new TreeSet<>(Set.of(sample.user()));
    int known = (int) text.entries().stream().map(Entry::user).distinct().count();
    while (users.size() < Math.min(USERS_ASKED, known)) {
      users.add(text.entries().get(random.nextInt(text.entries().size())).user());
    }
    var ask =
        "How many entries of the users %s in %s are about %s?"
            .formatted(String.join(", ", users), sample.month(), topic.title());
    long many =
        many(
            text,
            entry ->
                users.contains(entry.user())
                    && entry.month().equals(sample.month())
                    && entry.topic() == topic);
    var parts =
        Map.of(
            "ask",
            "How many entries are about " + topic.title() + "?",
            "known",
            topic.known(),
            "all",
            ask,
            "filter",
            sample.month() + "-\\d\\d user (" + String.join("|", users) + "):");
    return new Task(
        text.text(), ABOUT, ask + " Answer with the number alone.", parts, new Truth.Count(many));
  }

  static Task pairs(int size, long seed) {
    var random = random(size, seed);
    var text = EntryText.ofSize(size, random);
    var topic = topic(random);
    var month = text.entries().get(random.nextInt(text.entries().size())).month();
    var users = new TreeSet<String>();
    for (var entry : text.entries()) {
      if (entry.topic() == topic && entry.month().equals(month)) users.add(entry.user());
    }
    var ask =
        "Which pairs of different users both have an entry about %s in %s?"
            .formatted(topic.title(), month);
    var parts = Map.of("ask", ask, "known", topic.known(), "topic", topic.title(), "month", month);
    return new Task(
        text.text(),
        ABOUT,
        ask + " Answer with one pair on each line, such as 0001-0002, the smaller number first.",
        parts,
        new Truth.Pairs(pairs(List.copyOf(users))));
  }

  /// All pairs of sorted names.
  static Set<String> pairs(List<String> users) {
    var pairs = new TreeSet<String>();
    for (int i = 0; i < users.size(); i++) {
      for (int k = i + 1; k < users.size(); k++) pairs.add(users.get(i) + "-" + users.get(k));
    }
    return pairs;
  }
}
