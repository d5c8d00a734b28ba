package dev.superstep.cli.rlm.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The tasks that a simulated model understands, each done without a mistake on the lines that it
/// is given. Mistakes come from [RotModel] alone, which gives it other lines.
final class LeafSkills {
  static final String NONE = "none";

  private static final List<Skill> ALL =
      List.of(
          skill(
              "How many entries of the users ([\\d, ]+) in (\\S+) are about (\\w+)\\?",
              LeafSkills::users),
          skill("How many entries are about (\\w+)\\?", LeafSkills::count),
          skill("Which topic do most entries have\\?", (_, lines) -> most(lines)),
          skill(
              "Which pairs of different users both have an entry about (\\w+) in (\\S+)\\?",
              LeafSkills::pairs),
          skill(
              "What is the access code of (\\w+)\\?",
              (m, lines) -> behind("The access code of " + m.group(1) + " is ", lines)),
          skill(
              "In which district is the seat of the firm that (.+?) works for\\?",
              LeafSkills::hops),
          skill(
              "For which firm does (.+?) work\\?",
              (m, lines) -> behind(m.group(1) + " works for ", lines)),
          skill(
              "In which town has (.+?) its seat\\?",
              (m, lines) -> behind(m.group(1) + " has its seat in ", lines)),
          skill(
              "In which district does (.+?) lie\\?",
              (m, lines) -> behind(m.group(1) + " lies in the district of ", lines)),
          skill("Count the entries of each topic\\.", (_, lines) -> shown(counts(lines))),
          skill("Name the user, the month and the topic of each entry\\.", (_, l) -> named(l)),
          skill("Add up the numbers\\.", (_, lines) -> sum(lines)),
          skill("Add up the counts of each topic\\.", (_, lines) -> shown(sums(lines))));

  private LeafSkills() {}

  private record Skill(Pattern pattern, BiFunction<MatchResult, List<String>, String> work) {}

  private static Skill skill(String pattern, BiFunction<MatchResult, List<String>, String> work) {
    return new Skill(Pattern.compile(pattern), work);
  }

  /// Does what an instruction says; empty if it is none of the known ones.
  static Optional<String> answer(String instruction, List<String> lines) {
    for (var skill : ALL) {
      var match = skill.pattern().matcher(instruction);
      if (match.find()) return Optional.of(skill.work().apply(match.toMatchResult(), lines));
    }
    return Optional.empty();
  }

  private static List<Entry> entries(List<String> lines) {
    return lines.stream().map(Entry::of).flatMap(Optional::stream).toList();
  }

  private static String many(List<String> lines, Predicate<Entry> which) {
    return String.valueOf(entries(lines).stream().filter(which).count());
  }

  private static String count(MatchResult asked, List<String> lines) {
    return many(lines, entry -> entry.topic().title().equals(asked.group(1)));
  }

  private static String users(MatchResult asked, List<String> lines) {
    var users = List.of(asked.group(1).split(", "));
    return many(
        lines,
        entry ->
            users.contains(entry.user())
                && entry.month().equals(asked.group(2))
                && entry.topic().title().equals(asked.group(3)));
  }

  private static String most(List<String> lines) {
    return counts(lines).entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(first -> first.getKey().title())
        .orElse(NONE);
  }

  private static String pairs(MatchResult asked, List<String> lines) {
    var users = new TreeSet<String>();
    for (var entry : entries(lines)) {
      boolean isMeant =
          entry.topic().title().equals(asked.group(1)) && entry.month().equals(asked.group(2));
      if (isMeant) users.add(entry.user());
    }
    return String.join("\n", EntryTasks.pairs(List.copyOf(users)));
  }

  /// The word behind a phrase, up to the full stop.
  private static String behind(String phrase, List<String> lines) {
    for (var line : lines) {
      int at = line.indexOf(phrase);
      if (at < 0) continue;
      int end = line.indexOf('.', at + phrase.length());
      if (end > 0) return line.substring(at + phrase.length(), end);
    }
    return NONE;
  }

  private static String hops(MatchResult asked, List<String> lines) {
    var firm = behind(asked.group(1) + " works for ", lines);
    var town = behind(firm + " has its seat in ", lines);
    return behind(town + " lies in the district of ", lines);
  }

  private static Map<Topic, Long> counts(List<String> lines) {
    var counts = new EnumMap<Topic, Long>(Topic.class);
    for (var entry : entries(lines)) counts.merge(entry.topic(), 1L, Long::sum);
    return counts;
  }

  private static String shown(Map<Topic, Long> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getKey().title() + ": " + each.getValue())
        .collect(Collectors.joining("\n"));
  }

  private static String named(List<String> lines) {
    var named = new ArrayList<String>();
    for (var entry : entries(lines)) {
      named.add(entry.user() + " " + entry.month() + " " + entry.topic().title());
    }
    return String.join("\n", named);
  }

  private static String sum(List<String> lines) {
    return String.valueOf(
        lines.stream()
            .map(String::strip)
            .filter(line -> line.matches("\\d{1,15}"))
            .mapToLong(Long::parseLong)
            .sum());
  }

  private static Map<Topic, Long> sums(List<String> lines) {
    var sums = new EnumMap<Topic, Long>(Topic.class);
    for (var line : lines) {
      var text = line.strip();
      int at = text.indexOf(": ");
      if (at < 0) continue;
      var number = text.substring(at + 2);
      if (!number.matches("\\d{1,15}")) continue;
      Topic.titled(text.substring(0, at))
          .ifPresent(topic -> sums.merge(topic, Long.parseLong(number), Long::sum));
    }
    return sums;
  }
}
