package dev.superstep.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Runs commands as a person does who makes a release. One thread.
record Commands(Path folder, Map<String, String> variables) {
  /// The output of a command, and its exit code.
  record Ended(int exit, String text) {
    Ended well() {
      assertThat(exit).as(text).isZero();
      return this;
    }
  }

  static Commands in(Path folder) {
    return new Commands(folder, Map.of());
  }

  /// The root of this repository.
  static Path root() {
    return Path.of(System.getProperty("superstep.root")).toAbsolutePath().normalize();
  }

  Commands with(String variable, String value) {
    var all = new TreeMap<>(variables);
    all.put(variable, value);
    return new Commands(folder, all);
  }

  Ended run(String... words) throws IOException, InterruptedException {
    return run(List.of(words));
  }

  Ended run(List<String> words) throws IOException, InterruptedException {
    var output = Files.createTempFile("superstep-release", ".txt");
    var builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile());
    builder.environment().putAll(variables);
    int exit = builder.start().waitFor();
    var text = new String(Files.readAllBytes(output), UTF_8);
    Files.delete(output);
    return new Ended(exit, text);
  }

  /// Skips the test, and says why, where a tool is absent.
  static void need(String tool) {
    var found =
        List.of(System.getenv("PATH").split(":")).stream()
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    if (!found) figure("skipped, no " + tool);
    assumeTrue(found, "there is no " + tool);
  }

  /// Puts a text into the table of docs/testing.md.
  static void figure(String text) {
    System.out.println("long: " + text);
  }

  /// Names with other values in one map than in the other, or in one of them only.
  static Set<String> different(Map<String, String> one, Map<String, String> other) {
    var names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    names.removeIf(name -> Objects.equals(one.get(name), other.get(name)));
    return names;
  }

  /// The files of this repository as they are now, the changed ones included.
  static List<String> sources() throws IOException, InterruptedException {
    var listed =
        in(root()).run("git", "ls-files", "--cached", "--others", "--exclude-standard").well();
    var all = new ArrayList<String>();
    for (var name : listed.text().lines().toList()) {
      if (Files.isRegularFile(root().resolve(name))) all.add(name);
    }
    return all;
  }
}
