package dev.superstep.acp;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A [Coder] in a process of its own, and the editor that started it.
record AgentProcess(Process process, Editor editor) implements AutoCloseable {
  static AgentProcess start(Path folder) throws Exception {
    var process =
        new ProcessBuilder(words(Coder.class.getName(), folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var editor = new Editor(process.getInputStream(), process.getOutputStream());
    return new AgentProcess(process, editor.greet(false));
  }

  /// The words that start a program of the tests.
  static List<String> words(String main, String... arguments) {
    var classes =
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", "");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var words =
        new ArrayList<>(
            List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, main));
    words.addAll(List.of(arguments));
    return words;
  }

  /// As `kill -9` does.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
  }
}
