package dev.superstep.example.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The programs of LangGraph and Spring AI print what ours print. Their libraries are fetched
/// first, 120 MB once unpacked, so this is a long test: `./superstep test --long migration`.
@Tag("long")
@Timeout(900)
class PeerProgramsTest {
  private static final String SPRING_AI = "dev.superstep.example.migration.springai.before.";

  @TempDir private Path folder;

  @Test
  void programs_of_spring_ai_print_the_same() throws IOException, InterruptedException {
    var project = Path.of("spring-ai").toAbsolutePath();
    var pom = project.resolve("pom.xml").toString();
    Program.run(folder, "mvn", "--batch-mode", "--quiet", "-f", pom, "package");
    var target = project.resolve("target");
    var classPath =
        target.resolve("classes") + System.getProperty("path.separator") + target + "/lib/*";
    for (var name : List.of("Orders", "Tickets", "Slogan")) {
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      var command = List.of(java, "-cp", classPath, SPRING_AI + name);
      var file = "spring-ai-" + name.toLowerCase(Locale.ROOT) + ".txt";
      ProgramPairsTest.EXPECTED.check(file, new Program(command, folder).output());
    }
  }

  @Test
  void programs_of_langgraph_print_the_same() throws IOException, InterruptedException {
    var python = python();
    for (var name : List.of("travel", "research")) {
      var printed = new Program(List.of(python, program(name)), folder).output();
      ProgramPairsTest.EXPECTED.check("langgraph-" + name + ".txt", printed);
    }
    var refund = new Program(List.of(python, program("refund")), folder);
    var printed = refund.outputWhenKilled(folder.resolve("threads.db"), "yes");
    ProgramPairsTest.EXPECTED.check("langgraph-refund.txt", printed);
  }

  private static String program(String name) {
    return Path.of("langgraph", name + ".py").toAbsolutePath().toString();
  }

  /// The interpreter of an environment with LangGraph, which is made once.
  private String python() throws IOException, InterruptedException {
    var environment = Path.of("target", "langgraph").toAbsolutePath();
    var python = environment.resolve("bin/python").toString();
    var complete = environment.resolve("complete");
    if (Files.exists(complete)) return python;
    var requirements = Path.of("langgraph", "requirements.txt").toAbsolutePath().toString();
    Program.run(folder, "python3", "-m", "venv", environment.toString());
    Program.run(
        folder, python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", requirements);
    Files.createFile(complete);
    return python;
  }
}
