package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The page of demands, made of `docs/demands.txt` and of the tags of tests: each demand with the
/// tests that show it, or with the reason why there is none. Immutable.
final class Demands {
  /// A test with a demand's id as its tag; a class stands for all of its tests.
  ///
  /// @param name the method, or empty for a class
  record TaggedTest(Path file, String type, String name) {}

  /// The states of a demand without a test.
  enum Gap {
    DROPPED,
    ELSEWHERE,
    OPEN;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A demand of the list.
  ///
  /// @param gap empty if tests must show it
  /// @param reason the reason for a gap, or empty
  record Demand(String id, String text, String area, Optional<Gap> gap, String reason) {}

  private static final Path LIST = Path.of("docs", "demands.txt");
  private static final Path PAGE = Path.of("docs", "demands.md");
  private static final int SHOWN_TESTS = 3;
  // Tags that choose tests instead of naming a demand.
  private static final Set<String> OTHER_TAGS = Set.of("long");
  private static final Pattern ENTRY = Pattern.compile("([A-Z]+[0-9.]+b?) (.+)");
  private static final Pattern GAP = Pattern.compile("  (dropped|elsewhere|open): (.+)");
  private static final Pattern TAG = Pattern.compile("\\s*@Tag\\(\"([^\"]+)\"\\).*");
  private static final Pattern TYPE = Pattern.compile(".*\\b(?:class|record|interface) (\\w+).*");
  private static final Pattern METHOD = Pattern.compile("\\s+(?:[\\w<>\\[\\].?]+ )*(\\w+)\\(.*");

  private final List<Demand> demands;
  private final Map<String, List<TaggedTest>> tests;
  private final List<String> unreadable;

  Demands(List<String> list, List<SourceFile> sources) {
    this.unreadable = new ArrayList<>();
    this.demands = read(list);
    this.tests = tagged(sources);
  }

  static Demands of(Path root) {
    try {
      return new Demands(Files.readAllLines(root.resolve(LIST)), SourceFile.all(root));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Rewrites the page if it differs, and returns it then.
  static Optional<Path> write(Path root) {
    var page = of(root).page();
    try {
      var file = root.resolve(PAGE);
      if (Files.exists(file) && Files.readString(file).equals(page)) return Optional.empty();
      Files.writeString(file, page);
      return Optional.of(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns a sentence for each mistake: a demand with neither a test nor a reason, a gap that a
  /// test fills, a tag without a demand, a line that cannot be read.
  List<String> mistakes() {
    var mistakes = new ArrayList<>(unreadable);
    var ids = new LinkedHashSet<String>();
    for (var demand : demands) {
      boolean isTested = tests.containsKey(demand.id());
      if (!ids.add(demand.id())) mistakes.add(demand.id() + " stands in the list twice");
      if (!isTested && demand.gap().isEmpty()) {
        mistakes.add(demand.id() + " has neither a test with its tag nor a reason why not");
      }
      if (isTested && demand.gap().filter(gap -> gap != Gap.OPEN).isPresent()) {
        mistakes.add(demand.id() + " has a test, so it needs no reason why not");
      }
    }
    tests.keySet().stream()
        .filter(tag -> !ids.contains(tag) && !OTHER_TAGS.contains(tag))
        .forEach(tag -> mistakes.add("no demand has the id " + tag + ", which is a tag of tests"));
    return mistakes;
  }

  /// Returns the demands that are open, in whole or in part.
  List<Demand> open() {
    return demands.stream().filter(demand -> demand.gap().equals(Optional.of(Gap.OPEN))).toList();
  }

  /// Returns the page as Markdown.
  String page() {
    var page = new StringBuilder();
    page.append("# Demands and what shows them\n\n");
    page.append(
        "Written by `./superstep format` from [demands.txt](demands.txt) and from the tags");
    page.append(" of the tests; the build fails\n");
    page.append("when a demand has neither a test nor a reason. ");
    page.append(summary()).append("\n");
    String area = "";
    for (var demand : demands) {
      if (!demand.area().equals(area)) {
        area = demand.area();
        page.append("\n## ").append(area).append("\n\n");
        page.append("| demand | | shown by, or why not |\n|---|---|---|\n");
      }
      page.append("| ").append(demand.id()).append(" | ").append(demand.text().replace("|", "\\|"));
      page.append(" | ").append(shown(demand)).append(" |\n");
    }
    return page.toString();
  }

  private String summary() {
    long shown =
        demands.stream().filter(d -> d.gap().isEmpty() && tests.containsKey(d.id())).count();
    return demands.size()
        + " demands: "
        + shown
        + " shown by tests, "
        + count(Gap.ELSEWHERE)
        + " by something else,\n"
        + count(Gap.DROPPED)
        + " dropped, "
        + count(Gap.OPEN)
        + " open in whole or in part.";
  }

  private long count(Gap gap) {
    return demands.stream().filter(demand -> demand.gap().equals(Optional.of(gap))).count();
  }

  private String shown(Demand demand) {
    var cell = new ArrayList<String>();
    demand.gap().ifPresent(gap -> cell.add("**" + gap.label() + "**: " + demand.reason()));
    var found = tests.getOrDefault(demand.id(), List.of());
    var byFile = new TreeMap<String, List<TaggedTest>>();
    for (var test : found) {
      byFile.computeIfAbsent(test.type(), type -> new ArrayList<>()).add(test);
    }
    byFile.values().stream().map(Demands::cell).forEach(cell::add);
    return String.join("; ", cell);
  }

  private static String cell(List<TaggedTest> tests) {
    var first = tests.getFirst();
    var link = "[" + first.type() + "](../" + first.file().toString().replace('\\', '/') + ")";
    if (tests.stream().anyMatch(test -> test.name().isEmpty())) return link;
    var names =
        tests.stream()
            .limit(SHOWN_TESTS)
            .map(test -> test.name().replace('_', ' '))
            .collect(Collectors.joining(", "));
    int more = tests.size() - SHOWN_TESTS;
    return link + ": " + names + (more > 0 ? ", and " + more + " more" : "");
  }

  private List<Demand> read(List<String> lines) {
    var read = new ArrayList<Demand>();
    String area = "";
    for (var line : lines) {
      if (line.isBlank() || (line.startsWith("#") && !line.startsWith("## "))) continue;
      var entry = ENTRY.matcher(line);
      var gap = GAP.matcher(line);
      if (line.startsWith("## ")) {
        area = line.substring("## ".length());
      } else if (entry.matches()) {
        read.add(new Demand(entry.group(1), entry.group(2), area, Optional.empty(), ""));
      } else if (gap.matches() && !read.isEmpty()) {
        var last = read.removeLast();
        var kind = Gap.valueOf(gap.group(1).toUpperCase(Locale.ROOT));
        read.add(new Demand(last.id(), last.text(), area, Optional.of(kind), gap.group(2)));
      } else if (!line.startsWith("  ") || read.isEmpty()) {
        unreadable.add("docs/demands.txt has a line that is no demand: " + line);
      }
    }
    return List.copyOf(read);
  }

  private static Map<String, List<TaggedTest>> tagged(List<SourceFile> sources) {
    var found = new LinkedHashMap<String, List<TaggedTest>>();
    for (var source : sources) {
      if (!source.text().contains("@Tag(")) continue;
      var pending = new ArrayList<String>();
      var type = source.path().getFileName().toString().replace(".java", "");
      for (var line : source.lines()) {
        var tag = TAG.matcher(line);
        if (tag.matches()) {
          pending.add(tag.group(1));
          continue;
        }
        if (pending.isEmpty() || line.strip().startsWith("@") || line.strip().startsWith("//")) {
          continue;
        }
        var method = METHOD.matcher(line);
        var name = TYPE.matcher(line).matches() ? "" : method.matches() ? method.group(1) : null;
        if (name == null) continue;
        var test = new TaggedTest(source.path(), type, name);
        pending.forEach(id -> found.computeIfAbsent(id, x -> new ArrayList<>()).add(test));
        pending.clear();
      }
    }
    return found;
  }
}
