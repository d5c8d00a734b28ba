package dev.superstep.skills;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the beginning of a `SKILL.md`: the small part of YAML that skills use. There are no
/// anchors, tags, or values of more than one level, so that its size bounds the work.
final class FrontMatter {
  private static final String FENCE = "---";
  private static final Set<String> TEXTS =
      Set.of("name", "description", "license", "compatibility");
  private static final Set<String> MAPS = Set.of("metadata", "allowed-tools");
  private static final int CHARACTERS_MAX = 16_384;
  private static final int LINES_MAX = 400;

  private final List<String> lines;
  private int at;

  private FrontMatter(List<String> lines) {
    this.lines = lines;
  }

  /// The part that could not be read, as a sentence.
  static final class Unreadable extends Exception {
    Unreadable(String why) {
      super(why);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /// A `SKILL.md` in its parts.
  ///
  /// @param values texts by their names
  /// @param maps maps of texts by their names, and lists as maps with numbers
  record Parts(Map<String, String> values, Map<String, Map<String, String>> maps, String body) {
    Optional<String> value(String name) {
      return Optional.ofNullable(values.get(name)).filter(text -> !text.isBlank());
    }
  }

  static Parts read(String text) throws Unreadable {
    var all = text.startsWith("\uFEFF") ? text.substring(1) : text;
    if (!all.startsWith(FENCE + "\n") && !all.startsWith(FENCE + "\r\n")) {
      throw new Unreadable("Its SKILL.md does not begin with a line `---`.");
    }
    var lines = new ArrayList<String>();
    int from = all.indexOf('\n') + 1;
    while (true) {
      int end = all.indexOf('\n', from);
      var line = (end < 0 ? all.substring(from) : all.substring(from, end)).stripTrailing();
      int next = end < 0 ? all.length() : end + 1;
      if (line.equals(FENCE)) return new FrontMatter(lines).parts(all.substring(next));
      if (end < 0) throw new Unreadable("Its SKILL.md has no second line `---`.");
      if (end > CHARACTERS_MAX || lines.size() == LINES_MAX) {
        throw new Unreadable("The part before its second line `---` is too long.");
      }
      lines.add(line);
      from = next;
    }
  }

  private Parts parts(String body) throws Unreadable {
    var values = new LinkedHashMap<String, String>();
    var maps = new LinkedHashMap<String, Map<String, String>>();
    while (at < lines.size()) {
      var line = lines.get(at++);
      if (isNothing(line)) continue;
      var entry = entry(line);
      if (values.containsKey(entry.name()) || maps.containsKey(entry.name())) {
        throw new Unreadable("It has `%s` twice.".formatted(entry.name()));
      }
      if (TEXTS.contains(entry.name())) values.put(entry.name(), scalar(entry.value()));
      else if (!MAPS.contains(entry.name())) skip();
      else if (entry.value().isEmpty() && isInner()) maps.put(entry.name(), inner());
      else values.put(entry.name(), scalar(entry.value()));
    }
    return new Parts(values, maps, body);
  }

  /// Passes over what belongs to a name that means nothing here.
  private void skip() {
    while (at < lines.size() && (isNothing(lines.get(at)) || isInner())) at++;
  }

  private record Entry(String name, String value) {}

  private static Entry entry(String line) throws Unreadable {
    int colon = line.indexOf(':');
    var name = colon < 0 ? "" : line.substring(0, colon);
    if (!name.matches("[A-Za-z0-9_.-]{1,64}")
        || (colon + 1 < line.length() && line.charAt(colon + 1) != ' ')) {
      throw new Unreadable(
          "`%s` is not of the form `name: value`.".formatted(PlainText.oneLine(line, 60)));
    }
    return new Entry(name, line.substring(colon + 1).strip());
  }

  private static boolean isNothing(String line) {
    return line.isBlank() || line.stripLeading().startsWith("#");
  }

  /// Returns whether the next line belongs to the value before it.
  private boolean isInner() {
    for (int i = at; i < lines.size(); i++) {
      var line = lines.get(i);
      if (isNothing(line)) continue;
      return line.startsWith(" ") || line.startsWith("- ");
    }
    return false;
  }

  /// A map of texts, or a list of them, one level below.
  private Map<String, String> inner() throws Unreadable {
    var found = new LinkedHashMap<String, String>();
    while (isInner()) {
      var line = lines.get(at++);
      if (isNothing(line)) continue;
      var text = line.strip();
      if (text.startsWith("- ")) {
        found.put(String.valueOf(found.size()), scalarOnLine(text.substring(2).strip()));
        continue;
      }
      if (line.indexOf('\t') >= 0) throw new Unreadable("It is indented by tabs.");
      var entry = entry(text);
      if (found.put(entry.name(), scalarOnLine(entry.value())) != null) {
        throw new Unreadable("It has `%s` twice.".formatted(entry.name()));
      }
    }
    return found;
  }

  private String scalar(String first) throws Unreadable {
    if (first.matches("[|>][+-]?(\\s+#.*)?")) return block(first.charAt(0) == '|');
    var whole = new StringBuilder(first);
    // A text may go on in lines that are indented.
    while (at < lines.size() && lines.get(at).startsWith(" ")) {
      whole.append(' ').append(lines.get(at++).strip());
    }
    return scalarOnLine(whole.toString());
  }

  private String block(boolean keepsLines) {
    var found = new ArrayList<String>();
    while (at < lines.size() && (lines.get(at).startsWith(" ") || lines.get(at).isBlank())) {
      found.add(lines.get(at++).strip());
    }
    return String.join(keepsLines ? "\n" : " ", found).strip();
  }

  private static String scalarOnLine(String text) throws Unreadable {
    if (text.isEmpty()) return "";
    return switch (text.charAt(0)) {
      case '"' -> doubleQuoted(text);
      case '\'' -> singleQuoted(text);
      case '[' -> text; // a list on one line: the text of it is enough
      case '&', '*', '!', '{', '%', '@', '`' ->
          throw new Unreadable(
              "`%s` is YAML that skills do not need. Put the text into quotes."
                  .formatted(PlainText.oneLine(text, 60)));
      default -> {
        int comment = text.startsWith("#") ? 0 : text.indexOf(" #");
        yield comment < 0 ? text : text.substring(0, comment).stripTrailing();
      }
    };
  }

  private static String singleQuoted(String text) throws Unreadable {
    int end = text.lastIndexOf('\'');
    if (end == 0) throw new Unreadable("A text in quotes has no end.");
    checkRest(text.substring(end + 1));
    return text.substring(1, end).replace("''", "'");
  }

  private static String doubleQuoted(String text) throws Unreadable {
    var plain = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        checkRest(text.substring(i + 1));
        return plain.toString();
      }
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      if (++i == text.length()) break;
      plain.append(
          switch (text.charAt(i)) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case '"' -> '"';
            case '\\' -> '\\';
            case '/' -> '/';
            default -> throw new Unreadable("A text in quotes has an escape that is not known.");
          });
    }
    throw new Unreadable("A text in quotes has no end.");
  }

  private static void checkRest(String rest) throws Unreadable {
    if (rest.isBlank() || rest.startsWith(" #")) return;
    throw new Unreadable("Something follows a text in quotes.");
  }
}
