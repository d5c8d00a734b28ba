package dev.superstep.example.guide.modular;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs that use Superstep as modules, where nothing but what is exported or opened can be
/// reached.
@Timeout(120)
class ModulePathTest {
  private static final String MODULES =
      "dev.superstep.agent,dev.superstep.files,dev.superstep.store,dev.superstep.teams";

  /// Their jars are found by their names; those of others stay on the class path.
  private static final List<String> LIBRARIES =
      List.of(
          "jackson",
          "jspecify",
          "json-schema",
          "re2j",
          "java-diff-utils",
          "sqlite-jdbc",
          "slf4j-api");

  @TempDir Path folder;

  @Test
  void an_agent_with_tools_of_several_modules_stops_and_resumes_on_the_module_path()
      throws Exception {
    assertThat(run()).containsExactly("named module: true", "questions: 1");

    assertThat(run())
        .containsExactly("named module: true", "questions: 1", "5 results, failed: []");
  }

  private List<String> run() throws IOException, InterruptedException {
    var modules = entries(ModulePathTest::isModule);
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED,org.xerial.sqlitejdbc,dev.superstep.sandbox",
            "-p",
            modules,
            "--add-modules",
            MODULES,
            "-cp",
            entries(entry -> !isModule(entry)),
            ModularAgent.class.getName(),
            folder.toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static String entries(Predicate<Path> wanted) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(wanted)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isModule(Path entry) {
    var name = entry.getFileName().toString();
    if (LIBRARIES.stream().anyMatch(name::startsWith)) return true;
    boolean isOurs = name.startsWith("superstep-") && name.endsWith(".jar");
    return isOurs || Files.exists(entry.resolve("module-info.class"));
  }
}
