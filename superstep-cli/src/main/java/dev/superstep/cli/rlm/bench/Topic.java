package dev.superstep.cli.rlm.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The subject of a generated entry. An entry does not name its topic, but something that belongs
/// to it, so that searching for the topic's name finds nothing.
enum Topic {
  FOOD("lentil soup", "rye bread", "goat cheese", "plum cake", "fried rice", "onion tart"),
  HEALTH("sore throat", "blood test", "flu vaccine", "knee bandage", "cough syrup", "dentist"),
  MONEY("bank loan", "tax refund", "credit card", "savings rate", "pension fund", "mortgage"),
  SPORT("penalty kick", "relay race", "tennis serve", "boxing match", "ski jump", "goalkeeper"),
  TRAVEL("night train", "hotel lobby", "boarding pass", "ferry ticket", "passport", "suitcase"),
  WEATHER("hail storm", "morning fog", "heat wave", "snow drift", "rain cloud", "north wind");

  private static final Pattern BAR = Pattern.compile("\\|");

  private final String words;

  Topic(String... things) {
    this.words = String.join("|", things);
  }

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  List<String> things() {
    return BAR.splitAsStream(words).toList();
  }

  /// A pattern of half of its things: what a program finds whose author knows some of the words.
  String known() {
    var things = things();
    return things.stream().limit(things.size() / 2).collect(Collectors.joining("|"));
  }

  /// The topic of an entry.
  static Optional<Topic> of(String line) {
    for (var topic : values()) {
      for (var thing : topic.things()) if (line.contains(thing)) return Optional.of(topic);
    }
    return Optional.empty();
  }

  static Optional<Topic> titled(String title) {
    for (var topic : values()) if (topic.title().equals(title)) return Optional.of(topic);
    return Optional.empty();
  }

  static String titles() {
    return List.of(values()).stream().map(Topic::title).collect(Collectors.joining(", "));
  }
}
