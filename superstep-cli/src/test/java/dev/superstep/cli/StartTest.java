package dev.superstep.cli;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The classes that a start loads, and where they come from. Times are the benchmark's (W6).
@Timeout(300)
class StartTest {
  private static final String LOADED = "loaded.txt";
  private static final Path RAISING =
      Path.of("../build-tools/src/main/java/dev/superstep/build/ClassFormat.java");
  private static final Pattern OF_TESTS =
      Pattern.compile("junit|opentest4j|apiguardian|assertj|byte-buddy|testkit");

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.variable("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + LOADED);
  }

  @Test
  void the_version_is_printed_by_two_classes_of_ours() throws Exception {
    assertThat(desk.spawn("--version").out()).startsWith("superstep ");
    assertThat(ours(loaded())).hasSize(2);
    assertThat(loaded().size()).isLessThan(900);
  }

  @Test
  void a_listing_loads_no_model_no_graph_and_no_configuration() throws Exception {
    assertThat(desk.spawn("threads", "list").exit()).isZero();
    assertThat(String.join("\n", loaded()))
        .doesNotContain("org.tomlj", "com.networknt", "dev.superstep.model.vendor");
    assertThat(loaded().size()).isLessThan(1_750);
  }

  @Test
  void a_run_loads_nothing_of_the_server_for_editors() throws Exception {
    var said = desk.spawn("run", "letters", "--yes", "--thread", "t", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(String.join("\n", loaded()))
        .doesNotContain("org.eclipse.lsp4j", "com.google.gson", "dev.superstep.language.server");
  }

  @Test
  void what_a_run_loads_comes_from_the_class_cache() throws Exception {
    var classes = jars();
    assertThat(run(classes, "-XX:AOTCacheOutput=start.aot", "first")).isZero();
    desk.variable("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + LOADED);
    assertThat(run(classes, "-XX:AOTCache=start.aot", "second")).isZero();
    var loaded = loaded();
    var cached = loaded.stream().filter(line -> line.contains("shared objects file")).toList();
    var late = new ArrayList<>(loaded);
    late.removeAll(cached);
    // Left are what the JVM makes for proxies, method handles and the program's own lambdas.
    assertThat(late).noneMatch(line -> line.contains(".jar"));
    assertThat(late.size()).isLessThan(300);
    assertThat(cached.size()).isBetween(3_500, 5_200);
  }

  private int run(String classes, String cache, String thread)
      throws IOException, InterruptedException {
    var words = desk.words("run", "letters", "--yes", "--thread", thread, "--model", Desk.SCRIPT);
    words.set(words.indexOf("-cp") + 1, classes);
    words.add(1, cache);
    var process =
        new ProcessBuilder(words)
            .directory(desk.folder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(desk.folder().resolve(thread + ".log").toFile());
    desk.surround(process);
    return process.start().waitFor();
  }

  /// The class path as the launcher makes it: jars, and none with a format that is too old.
  private String jars() throws IOException, InterruptedException {
    var words = desk.words();
    var jars = new ArrayList<String>();
    for (var entry : words.get(words.indexOf("-cp") + 1).split(File.pathSeparator)) {
      var path = Path.of(entry);
      var jar = temp.resolve(jars.size() + "-" + path.getFileName() + ".jar");
      if (OF_TESTS.matcher(entry).find()) continue;
      if (Files.isDirectory(path)) {
        pack(path, jar);
      } else {
        Files.copy(path, jar);
      }
      if (entry.contains("picocli")) raise(jar);
      jars.add(jar.toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  private static void raise(Path jar) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var raising = new ProcessBuilder(java, RAISING.toString(), jar.toString()).inheritIO();
    assertThat(raising.start().waitFor()).isZero();
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (var files = Files.walk(classes);
        var out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  private List<String> loaded() throws IOException {
    return Files.readAllLines(desk.folder().resolve(LOADED));
  }

  private static List<String> ours(List<String> loaded) {
    return loaded.stream().filter(line -> line.contains("dev.superstep")).toList();
  }
}
