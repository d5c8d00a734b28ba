package bikes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Starts the packaged service, and ends what it started.
final class Services {
  private static final Pattern PORT =
      Pattern.compile("Listening on: http://127\\.0\\.0\\.1:(\\d+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Process> started = new ArrayList<>();

  Service start(Path threads, String model) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-Dquarkus.http.host=127.0.0.1",
            "-Dquarkus.http.port=0",
            "-Dbikes.threads=" + threads,
            "-Dbikes.model=" + model,
            "-jar",
            System.getProperty("bikes.application"));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    var log =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var said = new StringBuilder();
    for (var line = log.readLine(); line != null; line = log.readLine()) {
      said.append(line).append('\n');
      var port = PORT.matcher(line);
      if (!port.find()) continue;
      // A full pipe would stop the process.
      Thread.startVirtualThread(() -> drain(log));
      return new Service(client, process, Integer.parseInt(port.group(1)));
    }
    throw new AssertionError("the service did not start: " + said);
  }

  private static void drain(BufferedReader log) {
    try {
      while (log.readLine() != null) {}
    } catch (IOException _) {
      // The process was killed.
    }
  }

  void close() throws InterruptedException {
    for (var process : started) process.destroyForcibly().waitFor();
    client.shutdownNow();
  }
}
