package dev.superstep.example.guide.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Java source of a module that users depend on.
record Source(String module, String name, String text) {
  private static final Pattern LINK = Pattern.compile("\\[`?([\\w.#]+)`?](?!\\()(\\[[^\\]]*])?");

  private static final List<Source> ALL = read();

  static List<Source> all() {
    return ALL;
  }

  private static List<Source> read() {
    var found = new ArrayList<Source>();
    try (var modules = Files.list(ReferencePage.root())) {
      for (var module : modules.sorted().toList()) {
        var java = module.resolve("src/main/java");
        var name = String.valueOf(module.getFileName());
        if (name.startsWith("superstep-") && Files.isDirectory(java)) {
          add(name, java, found);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(found);
  }

  private static void add(String module, Path java, List<Source> found) throws IOException {
    try (Stream<Path> files = Files.walk(java)) {
      for (var file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        var name = String.valueOf(file.getFileName()).replace(".java", "");
        found.add(new Source(module, name, Files.readString(file)));
      }
    }
  }

  static Source named(String module, String name) {
    return all().stream()
        .filter(s -> s.module.equals(module) && s.name.equals(name))
        .findFirst()
        .orElseThrow();
  }

  String packageName() {
    var found = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE).matcher(text);
    return found.find() ? found.group(1) : "";
  }

  /// The text of a Javadoc comment up to its first tag, in one line, for a table.
  static String prose(String javadoc) {
    var lines = new ArrayList<String>();
    for (var line : javadoc.lines().map(l -> l.strip().replaceFirst("^///", "").strip()).toList()) {
      if (line.startsWith("@") || line.startsWith("```")) break;
      lines.add(line);
    }
    var text = String.join(" ", lines).strip().replaceAll("\\s+", " ");
    var linked =
        LINK.matcher(text).replaceAll(m -> "`" + shortened(m.group(1).replace('#', '.')) + "`");
    return linked.replace("|", "\\|");
  }

  private static String shortened(String name) {
    return name.replaceFirst("^\\.", "").replaceFirst("^([a-z]+\\.)+(?=[A-Z])", "");
  }
}
