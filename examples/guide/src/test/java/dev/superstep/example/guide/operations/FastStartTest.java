package dev.superstep.example.guide.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Follows the guide to a class cache: a program is rehearsed once, and then finds its classes.
@Timeout(300)
class FastStartTest {
  private static final Pattern NEEDED =
      Pattern.compile(
          "superstep-(graph|agent|store|example-guide)|jackson|networknt|json-schema|itu"
              + "|snakeyaml|jspecify|slf4j-api|sqlite-jdbc");

  @TempDir Path temp;

  @Test
  void a_rehearsed_program_takes_its_classes_from_the_cache() throws Exception {
    var classes = jars();
    assertThat(run(classes, "-XX:AOTCacheOutput=program.aot")).contains("The sun shines in Oslo.");
    var log = "-Xlog:class+load:file=loaded.txt";
    assertThat(run(classes, "-XX:AOTCache=program.aot", log))
        .containsExactly("The sun shines in Oslo.");
    var loaded = Files.readAllLines(temp.resolve("loaded.txt"));
    var late = loaded.stream().filter(line -> !line.contains("shared objects file")).toList();
    assertThat(late).noneMatch(line -> line.contains(".jar"));
    assertThat(late.size() * 10).isLessThan(loaded.size());
  }

  private List<String> run(String classes, String... options) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var words = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    words.addAll(List.of(options));
    words.addAll(List.of("-cp", classes, FastStart.class.getName(), "rehearse"));
    var out = temp.resolve("out.txt").toFile();
    var process = new ProcessBuilder(words).directory(temp.toFile()).inheritIO();
    assertThat(process.redirectOutput(out).start().waitFor()).isZero();
    return Files.readAllLines(out.toPath());
  }

  private String jars() throws IOException {
    var jars = new ArrayList<String>();
    for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      var path = Path.of(entry);
      if (Files.isDirectory(path) && !entry.contains("test-classes")) {
        jars.add(packed(path, temp.resolve(jars.size() + ".jar")));
      } else if (NEEDED.matcher(String.valueOf(path.getFileName())).find()) {
        jars.add(entry);
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static String packed(Path classes, Path jar) throws IOException {
    try (var files = Files.walk(classes);
        var out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar.toString();
  }
}
