package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/// Writes the table of what each module weighs into `docs/dependencies.md`: its own jar, and the
/// number and the size of the jars of others that it brings. The rows of that page say which these
/// are; the local Maven repository has their sizes.
///
/// `java build-tools/src/main/java/dev/superstep/build/DependencyWeights.java ROOT [BUILT]` writes
/// it. BUILT has a folder of classes for each module that has no jar in its target folder.
public final class DependencyWeights {
  private static final String BEGIN = "<!-- weights -->";
  private static final String END = "<!-- end of weights -->";
  private static final double KIB = 1024;
  private static final Pattern ROW =
      Pattern.compile("\\| ([\\w.-]+):([\\w.-]+) \\| ([\\w.-]+) \\| ([\\w, -]+) \\| .+ \\|");
  private static final Pattern WEIGHT =
      Pattern.compile("\\| `superstep-([\\w-]+)` \\| ([\\d.]+) \\| (\\d+) \\| ([\\d.]+) \\|");

  /// The weight of a module.
  ///
  /// @param own the size of its own jar, in KiB; 0 if there is none yet
  /// @param jars how many jars of others it brings
  /// @param others their size, in KiB
  public record Weight(double own, int jars, double others) {
    Weight with(double jar) {
      return new Weight(own, jars + 1, others + jar);
    }
  }

  private DependencyWeights() {}

  /// Writes the table.
  public static void main(String[] args) throws IOException {
    var root = Path.of(args[0]);
    var built = args.length > 1 ? Path.of(args[1]) : root;
    var page = root.resolve("docs/dependencies.md");
    var text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalStateException(page + " must have the lines " + BEGIN + " and " + END);
    }
    var written = written(text);
    var lines = new ArrayList<>(List.of(BEGIN, ""));
    lines.add("| module | own jar, KiB | jars of others | their size, MiB |");
    lines.add("|---|---|---|---|");
    weights(root, text)
        .forEach((module, weight) -> {
          double own = own(root, built, "superstep-" + module);
          var before = written.get(module);
          if (own == 0 && before != null) own = before.own();
          lines.add(
              String.format(
                  Locale.ROOT,
                  "| `superstep-%s` | %.0f | %d | %.1f |",
                  module,
                  own,
                  weight.jars(),
                  weight.others() / KIB));
        });
    lines.add("");
    Files.writeString(
        page, text.substring(0, begin) + String.join("\n", lines) + "\n" + text.substring(end));
  }

  /// The weights that the page tells.
  public static Map<String, Weight> written(String page) {
    var found = new TreeMap<String, Weight>();
    for (var row : rows(WEIGHT, page)) {
      double own = Double.parseDouble(row.group(2));
      double others = Double.parseDouble(row.group(4)) * KIB;
      found.put(row.group(1), new Weight(own, Integer.parseInt(row.group(3)), others));
    }
    return found;
  }

  /// The weights by the rows of the page, without own jars.
  ///
  /// @throws IllegalStateException if the local repository lacks a jar
  public static Map<String, Weight> weights(Path root, String page) {
    var found = new TreeMap<String, Weight>();
    for (var module : modules(root)) found.put(module, new Weight(0, 0, 0));
    for (var row : rows(ROW, page)) {
      double size = jar(row.group(1), row.group(2), row.group(3));
      for (var module : row.group(4).split(", ", -1)) {
        found.computeIfPresent(module, (_, weight) -> weight.with(size));
      }
    }
    return found;
  }

  private static List<Matcher> rows(Pattern pattern, String page) {
    return page.lines().map(pattern::matcher).filter(Matcher::matches).toList();
  }

  private static List<String> modules(Path root) {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
          .map(folder -> folder.getFileName().toString())
          .filter(name -> name.startsWith("superstep-"))
          .map(name -> name.substring("superstep-".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double jar(String group, String artifact, String version) {
    var folder =
        Path.of(System.getProperty("user.home"), ".m2/repository")
            .resolve(group.replace('.', '/'))
            .resolve(artifact)
            .resolve(version);
    double size = largest(folder, artifact + "-" + version);
    if (size > 0) return size;
    throw new IllegalStateException("No jar in " + folder + ". Build once, so that it is there.");
  }

  /// The size of the largest jar of this name, with or without a classifier.
  private static double largest(Path folder, String begin) {
    if (!Files.isDirectory(folder)) return 0;
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> {
            var name = file.getFileName().toString();
            return name.startsWith(begin)
                && name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-javadoc.jar");
          })
          .mapToDouble(file -> file.toFile().length() / KIB)
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double own(Path root, Path built, String module) {
    double jar = largest(root.resolve(module).resolve("target"), module + "-");
    if (jar > 0) return jar;
    var classes = built.resolve(module).resolve("classes");
    return Files.isDirectory(classes) ? deflated(classes) : 0;
  }

  // About what the jar tool makes of them.
  private static double deflated(Path classes) {
    try (Stream<Path> files = Files.walk(classes)) {
      double sum = 0;
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var deflater = new Deflater();
        var bytes = Files.readAllBytes(file);
        deflater.setInput(bytes);
        deflater.finish();
        var packed = new byte[bytes.length + 1024];
        sum += deflater.deflate(packed) + 2.0 * classes.relativize(file).toString().length() + 76;
        deflater.end();
      }
      return sum / KIB;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
