package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// The page of dependencies against what the build resolved.
final class DependenciesTest {
  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();
  private static final String OURS = "dev.superstep:";
  private static final String PUBLISHED = "superstep-";
  private static final double KIB_OFF = 64;
  private static final double SHARE_OFF = 0.05;
  private static final String BOM = "superstep-bom";

  // As the dependency plugin lists it; colours may stand around it.
  private static final Pattern RESOLVED =
      Pattern.compile("\\s([\\w.-]+:[\\w.-]+):jar:(?:[\\w.-]+:)??([\\w.-]+):(?:compile|runtime)");
  private static final Pattern ROW =
      Pattern.compile("\\| ([\\w.-]+:[\\w.-]+) \\| ([\\w.-]+) \\| ([\\w, -]+) \\| (.+) \\|");

  /// Artifact and version to the modules that bring it.
  private static Map<String, Set<String>> resolved() throws IOException {
    var found = new TreeMap<String, Set<String>>();
    for (var module : Module.all(ROOT)) {
      if (!isJar(module.name())) continue;
      var list = Files.readString(module.folder().resolve("target/dependencies.txt"));
      var lines = RESOLVED.matcher(list);
      while (lines.find()) {
        if (lines.group(1).startsWith(OURS)) continue;
        found
            .computeIfAbsent(lines.group(1) + " " + lines.group(2), _ -> new TreeSet<>())
            .add(module.name().substring(PUBLISHED.length()));
      }
    }
    return found;
  }

  private static boolean isJar(String module) {
    return module.startsWith(PUBLISHED) && !module.equals(BOM);
  }

  private static Map<String, Set<String>> written() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/dependencies.md")).stream()
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .collect(
            Collectors.toMap(
                row -> row.group(1) + " " + row.group(2),
                row -> new TreeSet<>(Set.of(row.group(3).split(", ")))));
  }

  @Test
  void the_page_names_exactly_the_artifacts_of_each_module() throws IOException {
    assertThat(written()).containsExactlyInAnyOrderEntriesOf(resolved());
  }

  /// The numbers grow with each change, so they may be some way off; the next run of the program
  /// that writes them sets them right.
  @Test
  void the_page_tells_what_each_module_weighs() throws IOException {
    var page = Files.readString(ROOT.resolve("docs/dependencies.md"));
    var written = DependencyWeights.written(page);
    var weights = DependencyWeights.weights(ROOT, page);
    assertThat(written).containsOnlyKeys(weights.keySet());
    assertThat(weights)
        .allSatisfy((module, weight) -> {
          assertThat(written.get(module).jars()).as(module).isEqualTo(weight.jars());
          assertThat(written.get(module).others())
              .as(module)
              .isCloseTo(weight.others(), Offset.offset(KIB_OFF + weight.others() * SHARE_OFF));
        });
  }

  @Test
  void the_command_has_one_jackson() throws IOException {
    var jacksons =
        resolved().entrySet().stream()
            .filter(e -> e.getKey().contains(":jackson-core ") && e.getValue().contains("cli"))
            .map(e -> e.getKey().substring(0, e.getKey().indexOf('.', e.getKey().indexOf(' '))));
    assertThat(jacksons).containsExactly("tools.jackson.core:jackson-core 3");
  }

  @Test
  void the_bom_lists_every_artifact_that_is_published_and_no_other() throws IOException {
    var listed =
        Pattern.compile("<artifactId>(.+)</artifactId>\\s*<version>\\$\\{project.version}")
            .matcher(Files.readString(ROOT.resolve(BOM).resolve("pom.xml")))
            .results()
            .map(found -> found.group(1));
    var published = Module.all(ROOT).stream().map(Module::name).filter(DependenciesTest::isJar);
    assertThat(listed).containsExactlyElementsOf(published.toList());
  }

  @Test
  void the_engine_brings_jspecify_and_jackson_and_nothing_else() throws IOException {
    var names =
        resolved().entrySet().stream()
            .filter(e -> e.getValue().contains("graph"))
            .map(e -> e.getKey().substring(0, e.getKey().indexOf(' ')));
    assertThat(names)
        .containsExactlyInAnyOrder(
            "org.jspecify:jspecify",
            "tools.jackson.core:jackson-core",
            "tools.jackson.core:jackson-databind",
            "com.fasterxml.jackson.core:jackson-annotations");
  }
}
