package dev.superstep.bench.served;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// A server at work, with all processes that it started. What it took is read from `/proc`, so only
/// on Linux. For one thread.
final class ServerProcess implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final int OK = 200;
  private static final int TICKS_PER_SECOND = 100;
  private static final int USER_TIME = 11;
  private static final double KIB_PER_MB = 1_024;

  private final Process process;
  private final URI address;

  private ServerProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /// Starts a server, and waits until it answers.
  static ServerProcess start(List<String> command, Path folder, int port, Path log)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LANGSMITH_TRACING", "false");
    builder.environment().put("LANGGRAPH_CLI_NO_ANALYTICS", "1");
    var address = URI.create("http://127.0.0.1:" + port);
    var server = new ServerProcess(builder.start(), address);
    try {
      server.awaitAnswer(log);
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void awaitAnswer(Path log) throws IOException, InterruptedException {
    long end = System.nanoTime() + START_MAX.toNanos();
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(address.resolve("/ok")).timeout(ANSWER_MAX).build();
      while (System.nanoTime() < end && process.isAlive()) {
        try {
          if (client.send(request, BodyHandlers.discarding()).statusCode() == OK) return;
        } catch (IOException _) {
          // Not yet.
        }
        Thread.sleep(PAUSE);
      }
    }
    throw new IOException("the server does not answer; its log is " + log);
  }

  URI address() {
    return address;
  }

  /// The processor time that it has taken so far, in seconds.
  double cpuSeconds() {
    return sum(ServerProcess::ticks) / (double) TICKS_PER_SECOND;
  }

  /// The memory that it has, in MB.
  double residentMb() {
    return sum(ServerProcess::residentKib) / KIB_PER_MB;
  }

  private long sum(ToLongFunction<Long> figure) {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .mapToLong(handle -> figure.applyAsLong(handle.pid()))
        .sum();
  }

  /// The fields begin after the name of the program, which may have blanks.
  private static long ticks(long pid) {
    var line = String.join("", lines(pid, "stat"));
    if (line.isEmpty()) return 0;
    var fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
  }

  private static long residentKib(long pid) {
    for (var line : lines(pid, "status")) {
      if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", ""));
    }
    return 0;
  }

  private static List<String> lines(long pid, String file) {
    try {
      var path = Path.of("/proc", String.valueOf(pid), file);
      return Files.readAllLines(path, StandardCharsets.UTF_8);
    } catch (IOException _) {
      // It has just ended.
      return List.of();
    }
  }

  @Override
  public void close() {
    var all = new ArrayList<ProcessHandle>();
    process.descendants().forEach(all::add);
    all.add(process.toHandle());
    for (var one : all) one.destroyForcibly();
    for (var one : all) one.onExit().join();
  }
}
