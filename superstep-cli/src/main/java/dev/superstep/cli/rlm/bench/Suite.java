package dev.superstep.cli.rlm.bench;

import java.util.List;
import java.util.Locale;

/// The generated suites, by how much of the text an answer depends on.
enum Suite {
  NEEDLE("one line among all", "O(1)"),
  HOPS("three documents of up to 1,000, one after the other", "O(1)"),
  COUNT("how many entries have a topic", "O(n)"),
  FREQUENT("the most frequent topic", "O(n)"),
  USERS("how many entries of some users in a month have a topic", "O(n)"),
  PAIRS("the pairs of users who wrote about a topic in a month", "O(n^2), F1");

  private final String title;
  private final String work;

  Suite(String title, String work) {
    this.title = title;
    this.work = work;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return id() + ": " + title + ", " + work;
  }

  Task task(int size, long seed) {
    return switch (this) {
      case NEEDLE -> EntryTasks.needle(size, seed);
      case HOPS -> HopTasks.task(size, seed);
      case COUNT -> EntryTasks.count(size, seed);
      case FREQUENT -> EntryTasks.frequent(size, seed);
      case USERS -> EntryTasks.users(size, seed);
      case PAIRS -> EntryTasks.pairs(size, seed);
    };
  }

  static List<String> ids() {
    return List.of(values()).stream().map(Suite::id).toList();
  }
}
