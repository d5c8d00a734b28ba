package dev.superstep.example.guide.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// All public errors of the modules, by module: class, codes, cause.
final class ErrorTable {
  private static final Pattern CLASS =
      Pattern.compile(
          "((?:^///.*\\n)*)(?:^@.*\\n)*^public (?:abstract |final |sealed |non-sealed )*class"
              + " (\\w+)\\s+extends (\\w+)",
          Pattern.MULTILINE);

  private record Row(String module, String name, String parent, String doc, String text) {}

  private final Map<String, Row> errors = new LinkedHashMap<>();

  ErrorTable() {
    for (var source : Source.all()) {
      var found = CLASS.matcher(source.text());
      if (!found.find()) continue;
      var name = found.group(2);
      var error = new Row(source.module(), name, found.group(3), found.group(1), source.text());
      errors.putIfAbsent(name, error);
    }
    errors.values().removeIf(error -> !isOurs(error.name));
  }

  private boolean isOurs(String name) {
    if (name.equals("SuperstepException")) return true;
    var error = errors.get(name);
    return error != null && isOurs(error.parent);
  }

  List<String> names() {
    return List.copyOf(errors.keySet());
  }

  String text() {
    var lines = new ArrayList<String>();
    var module = "";
    for (var error : errors.values()) {
      if (!error.module.equals(module)) {
        module = error.module;
        lines.add((lines.isEmpty() ? "" : "\n") + "### " + module + "\n");
        lines.add("| error | code | cause |");
        lines.add("|---|---|---|");
      }
      lines.add("| `%s` | %s | %s |".formatted(error.name, codes(error), Source.prose(error.doc)));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String codes(Row error) {
    var found = Pattern.compile("\"([a-z]+\\.[a-z-]+)\"").matcher(error.text);
    var codes = new TreeSet<String>();
    while (found.find()) codes.add("`" + found.group(1) + "`");
    return String.join(", ", codes);
  }
}
