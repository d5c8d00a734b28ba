package dev.superstep.bench;

import dev.superstep.bench.Side.Ready;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Gets the peers: each is a program of its own under `bench/peers`, with its own build. Immutable.
///
/// @param folder where they are
/// @param mayBuild whether one that is not there may be built, which takes a while
record Peers(Path folder, boolean mayBuild) {
  private static final Duration BUILD_MAX = Duration.ofMinutes(10);
  private static final int REASON_MAX = 300;

  Ready get(Contender peer) throws IOException, InterruptedException {
    return switch (peer) {
      case LANGGRAPH4J -> jvm(peer, "LangGraph4jChild");
      // Its runs recurse once a step.
      case SPRING_AI_ALIBABA -> jvm(peer, "SpringAiAlibabaChild", "-Xss900m");
      case LANGCHAIN4J -> jvm(peer, "LangChain4jChild");
      case ADK -> jvm(peer, "AdkChild");
      case LANGGRAPHJS -> node(folder.resolve("langgraphjs"));
      case LANGGRAPH -> python(folder.resolve("langgraph"));
      case LIMIT, GUARDED_LIMIT, SUPERSTEP ->
          throw new IllegalArgumentException(peer.id() + " is no peer");
    };
  }

  private Ready jvm(Contender peer, String main, String... options)
      throws IOException, InterruptedException {
    var target = folder.resolve(peer.id()).resolve("target");
    var jar = target.resolve(peer.id() + "-1.jar");
    var build =
        List.of(
            "mvn",
            "--batch-mode",
            "--quiet",
            "-f",
            folder.resolve("pom.xml").toString(),
            "-pl",
            peer.id(),
            "package");
    var missing = built(Files.exists(jar), List.of(build));
    if (missing != null) return missing;
    var classPath = jar + System.getProperty("path.separator") + target.resolve("lib") + "/*";
    var command = Side.jvm(classPath, "dev.superstep.bench.peer." + main);
    var jvm = new ArrayList<>(command.jvm());
    jvm.addAll(List.of(options));
    return new Ready.Command(jvm, command.program());
  }

  private Ready node(Path program) throws IOException, InterruptedException {
    var install = List.of("npm", "ci", "--no-audit", "--no-fund", "--prefix", program.toString());
    boolean there = Files.exists(program.resolve("node_modules/.package-lock.json"));
    var missing = there ? null : built(false, List.of(install));
    if (missing != null) return missing;
    return new Ready.Command(
        List.of(),
        List.of(
            "node",
            "--expose-gc",
            "--no-warnings",
            "--max-old-space-size=4096",
            program.resolve("bench.mjs").toString()));
  }

  private Ready python(Path program) throws IOException, InterruptedException {
    var venv = program.resolve("venv");
    var python = venv.resolve("bin/python").toString();
    var requirements = program.resolve("requirements.txt").toString();
    boolean there = Files.exists(venv.resolve("complete"));
    var missing =
        there
            ? null
            : built(
                false,
                List.of(
                    List.of("python3", "-m", "venv", venv.toString()),
                    List.of(python, "-m", "pip", "install", "--quiet", "-r", requirements)));
    if (missing != null) return missing;
    if (!there) Files.createFile(venv.resolve("complete"));
    return new Ready.Command(List.of(), List.of(python, program.resolve("bench.py").toString()));
  }

  /// Builds a peer if that is allowed.
  ///
  /// @return why it is not there, or null if it is
  private Ready.@Nullable Absent built(boolean there, List<List<String>> commands)
      throws IOException, InterruptedException {
    if (!mayBuild) {
      return there
          ? null
          : new Ready.Absent("not built; it is built without --quick, or when --systems names it");
    }
    for (var command : commands) {
      var failed = failure(command);
      if (!failed.isEmpty()) return new Ready.Absent("cannot be had: " + failed);
    }
    return null;
  }

  /// Runs a command.
  ///
  /// @return what it said when it failed, or empty
  private String failure(List<String> command) throws IOException, InterruptedException {
    var log = Files.createTempFile("superstep-bench-", ".log");
    try {
      var builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      var process = builder.start();
      if (!process.waitFor(BUILD_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return command.getFirst() + " did not end within " + BUILD_MAX.toMinutes() + " minutes";
      }
      return process.exitValue() == 0 ? "" : command.getFirst() + ": " + error(log);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } finally {
      Files.delete(log);
    }
  }

  private static String error(Path log) throws IOException {
    var lines = Files.readString(log, StandardCharsets.UTF_8).lines().toList();
    var named =
        lines.stream()
            .filter(line -> line.contains("ERR"))
            .findFirst()
            .orElse(lines.isEmpty() ? "it failed" : lines.getLast());
    return named.substring(0, Math.min(REASON_MAX, named.length()));
  }
}
