package dev.superstep.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Compares what users can name with a baseline: `ApiCheck ROOT BASELINE`, the latter a folder with
/// a jar `MODULE.jar` for each module that was published. Ends with 1 if programs that were
/// compiled against the baseline break, unless `docs/api-breaks.txt` accepts the break: a line
/// `PATTERN = REASON`, whose pattern finds a part of the line that tells the break.
public final class ApiCheck {
  private static final String ACCEPTED = "docs/api-breaks.txt";

  private ApiCheck() {}

  /// Prints each break, the accepted ones with their reasons, and the counts.
  public static void main(String[] arguments) throws IOException {
    var root = Path.of(arguments[0]);
    var before = Path.of(arguments[1]);
    var accepted = accepted(root.resolve(ACCEPTED));
    int modules = 0;
    int open = 0;
    for (var jar : jars(before)) {
      var module = jar.getFileName().toString().replace(".jar", "");
      for (var line : breaks(module, jar, root.resolve(module))) {
        var reason = reason(accepted, line);
        if (reason.isEmpty()) open++;
        System.out.println(line + (reason.isEmpty() ? "" : " -- accepted: " + reason));
      }
      modules++;
    }
    if (modules == 0) throw new IllegalArgumentException("There are no jars in " + before + ".");
    System.out.println(modules + " modules compared, " + open + " breaks that nobody accepted");
    System.exit(open == 0 ? 0 : 1);
  }

  private static List<String> breaks(String module, Path before, Path folder) throws IOException {
    var after = ModuleJar.built(folder);
    return after.isEmpty()
        ? List.of(module + ": the module is gone")
        : new JarComparison(before, after.get())
            .breaks().stream().map(line -> module + ": " + line).toList();
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static Map<Pattern, String> accepted(Path file) throws IOException {
    var all = new LinkedHashMap<Pattern, String>();
    if (!Files.exists(file)) return all;
    var wrong = new ArrayList<String>();
    for (var line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) continue;
      int equals = line.lastIndexOf(" = ");
      if (equals < 0) wrong.add(line);
      else all.put(Pattern.compile(line.substring(0, equals)), line.substring(equals + 3));
    }
    if (wrong.isEmpty()) return all;
    throw new IllegalArgumentException(file + ": lines without ` = REASON`: " + wrong);
  }

  private static String reason(Map<Pattern, String> accepted, String line) {
    return accepted.entrySet().stream()
        .filter(each -> each.getKey().matcher(line).find())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }
}
