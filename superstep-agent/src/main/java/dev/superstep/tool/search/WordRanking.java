package dev.superstep.tool.search;

import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Ranks tools by the words that they share with a query, by the formula BM25: a rare word counts
/// more than a common one, and one of a short text more than one of a long text. Immutable.
record WordRanking() implements ToolRanking {
  private static final double SATURATION = 1.2;
  private static final double LENGTH = 0.75;
  private static final int NAME_WEIGHT = 3;
  private static final int TEXT_MAX = 4_000;
  private static final int WORDS_MAX = 64;
  private static final double EXACT = 1_000;
  private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Pattern PROPERTY = Pattern.compile("\"([A-Za-z_][A-Za-z0-9_-]*)\":\\{");

  private record Ranked(ToolSpec tool, double score) {}

  @Override
  public List<ToolSpec> rank(String query, List<ToolSpec> tools) {
    var asked =
        words(query).stream()
            .limit(WORDS_MAX)
            .collect(LinkedHashSet<String>::new, Set::add, Set::addAll);
    var texts = new ArrayList<Map<String, Integer>>(tools.size());
    var usedBy = new HashMap<String, Integer>();
    long length = 0;
    for (var tool : tools) {
      var counts = counts(tool);
      texts.add(counts);
      for (var word : asked) if (counts.containsKey(word)) usedBy.merge(word, 1, Integer::sum);
      for (var count : counts.values()) length += count;
    }
    double average = tools.isEmpty() ? 1 : Math.max(1, (double) length / tools.size());
    var ranked = new ArrayList<Ranked>();
    var name = query.strip();
    for (int i = 0; i < tools.size(); i++) {
      var tool = tools.get(i);
      double score = 0;
      var counts = texts.get(i);
      double own = 0;
      for (var count : counts.values()) own += count;
      for (var word : asked) {
        double times = counts.getOrDefault(word, 0);
        if (times == 0) continue;
        double users = usedBy.getOrDefault(word, 0);
        double rarity = Math.log(1 + (tools.size() - users + 0.5) / (users + 0.5));
        double norm = SATURATION * (1 - LENGTH + LENGTH * own / average);
        score += rarity * times * (SATURATION + 1) / (times + norm);
      }
      if (tool.name().equals(name)) score += EXACT;
      if (score > 0) ranked.add(new Ranked(tool, score));
    }
    // The sort is stable: of equals, the one that the agent has first.
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked.stream().map(Ranked::tool).toList();
  }

  private static Map<String, Integer> counts(ToolSpec tool) {
    var counts = new HashMap<String, Integer>();
    for (var word : words(tool.name())) counts.merge(word, NAME_WEIGHT, Integer::sum);
    for (var word : words(tool.description())) counts.merge(word, 1, Integer::sum);
    var properties = PROPERTY.matcher(cut(tool.parameters().text()));
    while (properties.find()) {
      for (var word : words(properties.group(1))) counts.merge(word, 1, Integer::sum);
    }
    return counts;
  }

  private static String cut(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
  }

  /// The words of a text in lower case, without the `s` of a plural.
  static List<String> words(String text) {
    var words = new ArrayList<String>();
    var found = WORD.matcher(CAMEL.matcher(cut(text)).replaceAll(" "));
    while (found.find()) {
      var word = found.group().toLowerCase(Locale.ROOT);
      boolean isPlural = word.length() > 3 && word.endsWith("s") && !word.endsWith("ss");
      words.add(isPlural ? word.substring(0, word.length() - 1) : word);
    }
    return words;
  }
}
