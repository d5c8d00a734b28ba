package dev.superstep.example.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Runs a program and returns what it printed. One thread.
///
/// @param command without arguments
/// @param folder where the process is started, and writes its errors to
record Program(List<String> command, Path folder) {
  private static final String KILLED = "-- killed, and started again --\n";

  /// A class on the class path of this test, in a JVM of its own.
  static Program java(String type, Path folder) {
    var classPath = System.getProperty("java.class.path");
    return new Program(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            type),
        folder);
  }

  /// Runs `main` in this process.
  static String output(String type) throws ReflectiveOperationException {
    var before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      Class.forName(type).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }

  String output() throws IOException, InterruptedException {
    var process = start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(this::errors).isZero();
    return output;
  }

  /// Kills the program when it has asked a question, starts it again and gives it an answer.
  ///
  /// @param store the argument of both
  String outputWhenKilled(Path store, String answer) throws IOException, InterruptedException {
    return untilQuestion(store) + KILLED + answered(store, answer);
  }

  private String untilQuestion(Path store) throws IOException, InterruptedException {
    var process = start(store.toString());
    try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      var output = new StringBuilder();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        if (line.endsWith("?")) return output.toString();
      }
      throw new AssertionError("It asked nothing: " + output + errors());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private String answered(Path store, String answer) throws IOException, InterruptedException {
    var process = start(store.toString());
    try (var input = process.getOutputStream()) {
      input.write((answer + "\n").getBytes(UTF_8));
    }
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(this::errors).isZero();
    return output;
  }

  private Process start(String... arguments) throws IOException {
    var builder =
        new ProcessBuilder(Stream.concat(command.stream(), Stream.of(arguments)).toList())
            .directory(folder.toFile())
            .redirectError(folder.resolve("errors.txt").toFile());
    builder.environment().put("PYTHONIOENCODING", "utf-8");
    return builder.start();
  }

  private String errors() {
    try {
      return Files.readString(folder.resolve("errors.txt"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Runs a command that has to succeed.
  static void run(Path folder, String... command) throws IOException, InterruptedException {
    var log = Files.createTempFile(folder, "build-", ".log");
    var builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    assertThat(builder.start().waitFor()).as(Files.readString(log)).isZero();
  }
}
