package bikes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A process of the service.
record Service(HttpClient client, Process process, int port) {
  private static final Duration MOST = Duration.ofSeconds(30);
  private static final Duration BETWEEN = Duration.ofMillis(20);

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
        .header("X-User", "ann");
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    var request = request("chats/" + path).POST(BodyPublishers.ofString(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  BufferedReader stream(String path, String body) throws IOException, InterruptedException {
    var request = request("chats/" + path).POST(BodyPublishers.ofString(body)).build();
    var response = client.send(request, BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) throw new AssertionError("status " + response.statusCode());
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  void awaitReady(int status) throws IOException, InterruptedException {
    await("q/health/ready", answer -> answer.statusCode() == status);
  }

  void awaitBody(String path, String part) throws IOException, InterruptedException {
    await(path, answer -> answer.body().contains(part));
  }

  private void await(String path, Predicate<HttpResponse<String>> isWanted)
      throws IOException, InterruptedException {
    var end = Instant.now().plus(MOST);
    var answer = get(path);
    while (!isWanted.test(answer)) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError(answer.statusCode() + " " + answer.body());
      }
      Thread.sleep(BETWEEN);
      answer = get(path);
    }
  }

  /// Asks the process to end, as `kill` and a container do.
  void askToStop() {
    process.destroy();
  }

  /// Returns the status of the process that ended.
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(MOST.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the service did not end");
    }
    return process.exitValue();
  }

  int stop() throws InterruptedException {
    askToStop();
    return awaitEnd();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
