package dev.superstep.example.guide.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The events of a sealed interface, as a table: name, fields, meaning.
final class EventTable {
  private static final Pattern RECORD =
      Pattern.compile("((?:^  ///.*\\n)*)(?:^  @.*\\n)*^  record (\\w+)\\(", Pattern.MULTILINE);
  private static final Pattern TOLD = Pattern.compile("((?:`[a-z_.]+`(?:, )?)+)(.*)");

  private final Source source;

  EventTable(Source source) {
    this.source = source;
  }

  /// The table. For the events of runs, it has a column with the kind of each.
  String text() {
    boolean hasKinds = source.text().contains("case RunStarted _");
    var lines = new ArrayList<String>();
    lines.add("| event | class | " + (hasKinds ? "kind | " : "") + "fields | when |");
    lines.add("|---|---|---|---|" + (hasKinds ? "---|" : ""));
    var found = RECORD.matcher(source.text());
    while (found.find()) {
      if (!isEvent(found.end())) continue;
      var doc = Source.prose(found.group(1));
      var type = found.group(2);
      var told = TOLD.matcher(doc);
      boolean isTold = told.matches();
      var name = isTold ? told.group(1).strip() : "`" + nameOf(type) + "`";
      var meaning = isTold ? told.group(2).replaceFirst("^[:,]?\\s*", "") : doc;
      var kind = hasKinds ? " `" + caught(type, "Kind\\.(\\w+)") + "` |" : "";
      lines.add(
          "| %s | `%s` |%s %s | %s |"
              .formatted(name, type, kind, fields(found.end()), capital(meaning)));
    }
    return String.join("\n", lines) + "\n";
  }

  int size() {
    return text().split("\n", -1).length - 3;
  }

  private boolean isEvent(int open) {
    var rest = source.text().substring(close(open) + 1);
    return rest.replaceAll("\\s+", " ").strip().startsWith("implements ");
  }

  private String nameOf(String type) {
    var prefix = Pattern.compile("return \"(\\w+\\.)\"").matcher(source.text());
    return (prefix.find() ? prefix.group(1) : "") + caught(type, "\"([a-z_.]+)\"");
  }

  /// The result of the `switch` of the interface for a case.
  private String caught(String type, String result) {
    var found =
        Pattern.compile("\\b" + type + " _[^;>]*?->\\s*" + result, Pattern.DOTALL)
            .matcher(source.text());
    if (!found.find()) throw new IllegalStateException(source.name() + " has no name for " + type);
    return found.group(1);
  }

  private String fields(int open) {
    var inside = source.text().substring(open, close(open)).replaceAll("//.*\\n", "");
    var fields = new ArrayList<String>();
    for (var part : parts(inside.replaceAll("\\s+", " "))) {
      if (!part.isBlank() && !part.strip().equals("Origin origin")) fields.add(part.strip());
    }
    return fields.isEmpty() ? "" : "`" + String.join("`, `", fields) + "`";
  }

  private static List<String> parts(String components) {
    var parts = new ArrayList<String>();
    var now = new StringBuilder();
    int depth = 0;
    for (char c : components.replaceAll("@\\w+(\\([^)]*\\))? ?", "").toCharArray()) {
      depth += "<(".indexOf(c) >= 0 ? 1 : ">)".indexOf(c) >= 0 ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(now.toString());
        now.setLength(0);
      } else {
        now.append(c);
      }
    }
    parts.add(now.toString());
    return parts;
  }

  private int close(int open) {
    int depth = 1;
    int at = open;
    while (depth > 0) {
      char c = source.text().charAt(at++);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return at - 1;
  }

  private static String capital(String text) {
    return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
