package dev.superstep.cli.rlm.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/// Tasks whose answer needs three documents, where each names what to look for in the next.
final class HopTasks {
  private static final int DOCUMENTS_MAX = 1_000;
  private static final int DOCUMENT = 100;
  private static final int FACTS = 3;
  private static final String FILLER =
      "The minutes of the spring meeting were read, some points were put off until autumn, and"
          + " nobody asked for a vote on any of them. ";
  private static final List<String> FIRST = List.of("Mara", "Jon", "Edda", "Pavel", "Rosa", "Tim");
  private static final List<String> PLACES = List.of("ba", "to", "ren", "vi", "lo", "mar", "sen");

  private HopTasks() {}

  static Task task(int size, long seed) {
    var random = new SplittableRandom(seed * 31 + size);
    int documents = Math.clamp(size / DOCUMENT, FACTS, DOCUMENTS_MAX);
    int chains = documents / FACTS;
    var facts = new ArrayList<String>();
    int asked = random.nextInt(chains);
    for (int i = 0; i < chains; i++) {
      facts.add("%s works for %s.".formatted(person(i), firm(i)));
      facts.add("%s has its seat in %s.".formatted(firm(i), town(i)));
      facts.add("%s lies in the district of %s.".formatted(town(i), district(i)));
    }
    while (facts.size() < documents) facts.add("Nothing was decided that day.");
    Collections.shuffle(facts, new Random(random.nextLong()));
    var lines = new ArrayList<String>();
    int length = size / documents - 1;
    for (int i = 0; i < documents; i++) {
      lines.add(document("Document %04d: %s".formatted(i + 1, facts.get(i)), length));
    }
    var ask =
        "In which district is the seat of the firm that %s works for?".formatted(person(asked));
    var about = "Each line of the text is a document.";
    return new Task(
        String.join("\n", lines),
        about,
        ask + " Answer with the name alone.",
        Map.of("ask", ask, "person", person(asked)),
        new Truth.Name(district(asked)));
  }

  private static String document(String fact, int length) {
    var text = new StringBuilder(fact);
    if (text.length() < length) text.append(' ');
    while (text.length() < length) text.append(FILLER);
    text.setLength(Math.max(fact.length(), length));
    return text.toString();
  }

  private static String person(int i) {
    return FIRST.get(i % FIRST.size()) + " " + word(i, "S") + "er";
  }

  private static String firm(int i) {
    return word(i, "K") + " Works";
  }

  private static String town(int i) {
    return word(i, "T") + "stad";
  }

  private static String district(int i) {
    return word(i, "D") + "mark";
  }

  /// A name of its own for each number.
  private static String word(int i, String start) {
    var word = new StringBuilder(start);
    int rest = i + PLACES.size() * PLACES.size();
    while (rest > 0) {
      word.append(PLACES.get(rest % PLACES.size()));
      rest /= PLACES.size();
    }
    return word.toString();
  }
}
