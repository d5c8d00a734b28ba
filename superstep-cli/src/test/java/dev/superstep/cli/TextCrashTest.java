package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that runs a text and is killed at a model call.
@Timeout(120)
class TextCrashTest {
  private static final int WAIT_MAX_SECONDS = 60;
  private static final String REPLY =
      """
      {"id": "1", "object": "chat.completion", "model": "m", "choices": [{"index": 0,
        "message": {"role": "assistant", "content": "said"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
      """;

  @TempDir Path temp;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch second = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  private void answer(HttpExchange exchange) throws IOException {
    var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean isSecond = request.contains("Two");
    asked.add(isSecond ? "two" : "one");
    if (isSecond && second.getCount() > 0) {
      second.countDown();
      try {
        var _ = over.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    var bytes = REPLY.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void a_killed_run_goes_on_and_asks_nothing_twice_that_was_answered() throws Exception {
    var desk = new Desk(temp);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    try {
      desk.write(
          "claims/desk.rag",
          """
          graph desk { output { a text b text } channel a overwrite channel b overwrite start one
            defaults { streaming disabled }
            node one { model "m" prompt "One" into a next two }
            node two { model "m" prompt "Two" into b } }
          """);
      desk.write(
          "claims/superstep.toml",
          "[models]\nm = \"openai-compatible://http://localhost:%d/v1/m\"\n"
              .formatted(server.getAddress().getPort()));
      var process = desk.start("run", "claims", "--thread", "t");
      assertThat(second.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS)).as("asked " + asked).isTrue();
      process.destroyForcibly().waitFor();
      over.countDown();
      assertThat(desk.run("threads", "break", "t", "--yes").exit()).isZero();
      var resumed = desk.run("resume", "t");
      assertThat(resumed.exit()).as(resumed.err()).isZero();
      assertThat(resumed.out()).startsWith("a: said\nb: said\n");
      assertThat(asked).containsExactly("one", "two", "two");
    } finally {
      over.countDown();
      server.stop(0);
    }
  }
}
