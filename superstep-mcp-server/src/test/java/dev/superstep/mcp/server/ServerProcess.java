package dev.superstep.mcp.server;

import dev.superstep.test.postgres.PostgresDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// A [DeskProgram] in a process of its own.
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private int port;

  private ServerProcess(Process process) {
    this.process = process;
    this.out = process.inputReader();
  }

  /// The words that start it.
  static List<String> words(String main, String... arguments) {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    words.addAll(List.of("-cp", classPath(), main));
    words.addAll(List.of(arguments));
    return words;
  }

  private static String classPath() {
    var all = System.getProperty("java.class.path") + java.io.File.pathSeparator;
    return all + System.getProperty("jdk.module.path", "");
  }

  static ServerProcess stdio(Path folder) throws IOException {
    var words = words(DeskProgram.class.getName(), folder.toString());
    return new ServerProcess(
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  static ServerProcess http(Path folder) throws IOException {
    return started(words(DeskProgram.class.getName(), folder.toString(), "0"));
  }

  /// One whose stores are a database of PostgreSQL.
  static ServerProcess http(Path folder, PostgresDatabase database) throws IOException {
    var port = Integer.toString(database.port());
    var main = DeskProgram.class.getName();
    return started(words(main, folder.toString(), "0", database.name(), port));
  }

  private static ServerProcess started(List<String> words) throws IOException {
    var started =
        new ServerProcess(
            new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    started.port = Integer.parseInt(started.line());
    return started;
  }

  int port() {
    return port;
  }

  void send(String message) throws IOException {
    var to = process.getOutputStream();
    to.write((message.replace("\n", " ") + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
    to.flush();
  }

  String line() throws IOException {
    var line = out.readLine();
    if (line == null) throw new IOException("the server has ended");
    return line;
  }

  /// The next message that is a reply, and no notification or request.
  JsonNode reply() throws IOException {
    while (true) {
      var message = HttpClientOfTest.JSON.readTree(line());
      if (!message.has("method")) return message;
    }
  }

  JsonNode ask(String method, String params) throws IOException {
    send(HttpClientOfTest.message(method, params));
    return reply();
  }

  ServerProcess greet(String capabilities) throws IOException {
    send(HttpClientOfTest.GREETING.formatted(capabilities));
    reply();
    send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    return this;
  }

  boolean ends() throws InterruptedException {
    return process.waitFor(20, TimeUnit.SECONDS);
  }

  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Tells it to end, and waits for that.
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
