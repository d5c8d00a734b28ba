package dev.superstep.build;

import dev.superstep.build.ApiChanges.Change;
import dev.superstep.build.ApiChanges.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes the differences between the APIs of two compiled source trees as a page of tables.
///
/// A file of notes has what class files do not say: lines `type OLD NEW` for types with another
/// simple name, `member TYPE#OLD NEW` for members, and `reason PATTERN = TEXT` for what became of
/// types and members. A pattern is matched against `package.Type` by its old name, or against
/// `package.Type.member(parameters)` with the type's new name; the first one that matches counts.
public final class ApiTable {
  private static final String OURS = "dev.superstep.";
  private static final String BEGIN = "<!-- The rest is written by ApiTable. -->";
  private static final String UNKNOWN = "**no reason noted**";
  private static final int PERCENT = 100;

  private final Api before;
  private final Api after;
  private final ApiChanges changes;
  private final Map<Pattern, String> reasons;
  private final List<String> lines = new ArrayList<>();

  private ApiTable(Api before, Api after, ApiChanges changes, Map<Pattern, String> reasons) {
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.reasons = reasons;
  }

  /// Writes the tables of a page.
  ///
  /// @param arguments the source tree before and that after, where each module has its classes, the
  ///   notes, and the page, whose text above the tables stays
  public static void main(String[] arguments) throws IOException {
    var before = Api.read(Path.of(arguments[0]), arguments[2]);
    var after = Api.read(Path.of(arguments[1]), arguments[2]);
    var renamed = new TreeMap<String, String>();
    var reasons = new LinkedHashMap<Pattern, String>();
    for (var line : Files.readAllLines(Path.of(arguments[3]))) {
      var words = line.split(" ", -1);
      switch (words[0]) {
        case "type", "member" -> renamed.put(words[1], words[2]);
        case "reason" -> reasons.put(Pattern.compile(words[1]), line.split(" = ", 2)[1]);
        default -> throw new IllegalArgumentException("a note is not understood: " + line);
      }
    }
    var page = Path.of(arguments[4]);
    var changes = new ApiChanges(before, after, renamed);
    var tables = new ApiTable(before, after, changes, reasons).tables();
    var text = Files.readString(page).split(Pattern.quote(BEGIN), 2)[0];
    Files.writeString(page, text + BEGIN + "\n\n" + String.join("\n", tables) + "\n");
  }

  private List<String> tables() {
    figures();
    types("Types that were removed or hidden", Kind.REMOVED, Kind.HIDDEN);
    members("Members that were removed", Kind.REMOVED);
    types("Types with new names", Kind.RENAMED);
    members("Members with new names or signatures", Kind.RENAMED, Kind.CHANGED);
    types("Types in another package", Kind.MOVED);
    types("New types", Kind.ADDED);
    members("New members", Kind.ADDED);
    return lines;
  }

  private void figures() {
    lines.add("| | before | after |");
    lines.add("|---|---|---|");
    figure("types, nested ones included", _ -> true);
    figure("of these public in an exported package", Api.Type::isVisible);
    lines.add("| their share | %d %% | %d %% |".formatted(share(before), share(after)));
    figure("top-level types", Api.Type::isTop);
    figure("of these public in an exported package", type -> type.isTop() && type.isVisible());
    lines.add("| their share | %d %% | %d %% |".formatted(topShare(before), topShare(after)));
    lines.add("| open members of visible types | %d | %d |".formatted(open(before), open(after)));
    lines.add(
        "| largest package, in top-level types | %s | %s |"
            .formatted(largest(before), largest(after)));
    lines.add("");
    lines.add("| difference | types | members |");
    lines.add("|---|---|---|");
    for (var kind : Kind.values()) {
      lines.add(
          "| %s | %d | %d |"
              .formatted(word(kind), of(changes.types(), kind), of(changes.members(), kind)));
    }
  }

  private void figure(String what, Predicate<Api.Type> which) {
    lines.add("| %s | %d | %d |".formatted(what, count(before, which), count(after, which)));
  }

  private static long count(Api api, Predicate<Api.Type> which) {
    return api.types().values().stream().filter(which).count();
  }

  private static long share(Api api) {
    return PERCENT * count(api, Api.Type::isVisible) / count(api, _ -> true);
  }

  private static long topShare(Api api) {
    return PERCENT
        * count(api, type -> type.isTop() && type.isVisible())
        / count(api, Api.Type::isTop);
  }

  private static long open(Api api) {
    return api.types().values().stream()
        .filter(Api.Type::isVisible)
        .mapToLong(type -> type.members().size())
        .sum();
  }

  private static String largest(Api api) {
    return api.types().values().stream()
        .filter(Api.Type::isTop)
        .collect(Collectors.groupingBy(Api.Type::folder, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .map(entry -> entry.getValue() + " (`" + entry.getKey() + "`)")
        .orElse("");
  }

  private static long of(List<Change> changes, Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind).count();
  }

  private void types(String title, Kind... kinds) {
    var found = found(changes.types(), kinds);
    if (found.isEmpty()) return;
    boolean isAdded = kinds[0] == Kind.ADDED;
    boolean isReasoned = kinds[0] == Kind.REMOVED;
    title(title, found.size());
    lines.add(
        isAdded
            ? "| type | types inside |"
            : isReasoned ? "| before | after | reason |" : "| before | after |");
    lines.add(isAdded ? "|---|---|" : isReasoned ? "|---|---|---|" : "|---|---|");
    for (var change : found) {
      if (isAdded) {
        lines.add("| `" + shown(change.after()) + "` | " + nested(change.after()) + " |");
      } else if (isReasoned) {
        lines.add(row(change.before(), now(change), reason(change.before())));
      } else {
        var now = change.kind() == Kind.MOVED ? folder(change.after()) : shown(change.after());
        lines.add("| `" + shown(change.before()) + "` | `" + now + "` |");
      }
    }
  }

  private void members(String title, Kind... kinds) {
    var found = found(changes.members(), kinds);
    if (found.isEmpty()) return;
    title(title, found.size());
    switch (kinds[0]) {
      case ADDED -> {
        lines.add("| type | members |");
        lines.add("|---|---|");
        var byType =
            found.stream()
                .collect(
                    Collectors.groupingBy(
                        Change::type,
                        TreeMap::new,
                        Collectors.mapping(
                            change -> "`" + brief(change.after()) + "`",
                            Collectors.joining(", "))));
        byType.forEach((type, all) -> lines.add("| `" + shown(type) + "` | " + all + " |"));
      }
      case REMOVED -> {
        lines.add("| type | member | reason |");
        lines.add("|---|---|---|");
        for (var change : found) {
          lines.add(
              "| `"
                  + shown(change.type())
                  + "` | `"
                  + brief(change.before())
                  + "` | "
                  + reason(change)
                  + " |");
        }
      }
      case RENAMED, CHANGED, MOVED, HIDDEN -> {
        lines.add("| type | before | after |");
        lines.add("|---|---|---|");
        for (var change : found) {
          lines.add(
              "| `"
                  + shown(change.type())
                  + "` | `"
                  + brief(change.before())
                  + "` | `"
                  + brief(change.after())
                  + "` |");
        }
      }
    }
  }

  private void title(String title, int size) {
    lines.add("");
    lines.add("## " + title + " (" + size + ")");
    lines.add("");
  }

  /// The visible types inside a type.
  private String nested(String name) {
    return after.types().values().stream()
        .filter(type -> type.isVisible() && type.name().startsWith(name + "$"))
        .map(type -> "`" + type.name().substring(name.length() + 1).replace('$', '.') + "`")
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static List<Change> found(List<Change> changes, Kind... kinds) {
    var wanted = List.of(kinds);
    return changes.stream().filter(change -> wanted.contains(change.kind())).toList();
  }

  private static String row(String before, String now, String reason) {
    return "| `" + shown(before) + "` | " + now + " | " + reason + " |";
  }

  private static String now(Change change) {
    return switch (change.kind()) {
      case REMOVED -> "–";
      case HIDDEN -> "hidden";
      case MOVED, RENAMED, CHANGED, ADDED -> "`" + shown(change.after()) + "`";
    };
  }

  private String reason(Change member) {
    var found = reason(member.type() + "." + member.before());
    if (!found.equals(UNKNOWN)) return found;
    var folder = member.type().substring(0, member.type().lastIndexOf('.'));
    var key = member.before().substring(0, member.before().lastIndexOf(": "));
    var heirs =
        changes.added().stream()
            .filter(type -> folder.equals(type.folder()))
            .filter(type -> type.members().stream().anyMatch(other -> other.key().equals(key)))
            .map(type -> "`" + shown(type.name()) + "`")
            .collect(Collectors.joining(" and "));
    return heirs.isEmpty() ? UNKNOWN : "moved to " + heirs;
  }

  private String reason(String what) {
    for (var reason : reasons.entrySet()) {
      if (reason.getKey().matcher(what).matches()) return reason.getValue();
    }
    return UNKNOWN;
  }

  private static String word(Kind kind) {
    return switch (kind) {
      case MOVED -> "another package, same name";
      case RENAMED -> "new name";
      case CHANGED -> "another signature";
      case ADDED -> "added";
      case HIDDEN -> "no longer visible";
      case REMOVED -> "removed";
    };
  }

  private static String shown(String name) {
    return name.replace(OURS, "").replace('$', '.');
  }

  private static String folder(String name) {
    var shown = shown(name);
    return shown.substring(0, shown.length() - ApiChanges.simple(name).length() - 1);
  }

  /// A member with the simple names of its types.
  private static String brief(String member) {
    return member
        .replaceAll("\\b[a-z][a-zA-Z0-9_]*\\.(?=[a-zA-Z0-9_]*[.A-Z])", "")
        .replace('$', '.')
        .replace(": void", "");
  }
}
