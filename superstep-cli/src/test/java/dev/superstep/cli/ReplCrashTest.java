package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A session of a person whose process is killed in the midst of a cell.
@Timeout(120)
class ReplCrashTest {
  private static final int WAIT_MAX_SECONDS = 60;
  private static final String REPLY =
      """
      {"id": "1", "object": "chat.completion", "model": "m", "choices": [{"index": 0,
        "message": {"role": "assistant", "content": "said"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}}
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
  @Tag("S1")
  @Tag("S20")
  void a_killed_session_goes_on_with_its_variables_and_repeats_no_finished_call() throws Exception {
    var desk = new Desk(temp);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    try {
      var allow =
          "[models]\nm = \"openai-compatible://http://localhost:%d/v1/m\"\n[tools]\nroot = \"notes\"\n"
              .formatted(server.getAddress().getPort());
      desk.write("session.toml", allow).write("notes/a.txt", "old");
      var digest =
          MessageDigest.getInstance("SHA-256").digest(allow.getBytes(StandardCharsets.UTF_8));
      var trust = HexFormat.of().formatHex(digest);
      var process = desk.start("repl", "--allow", "session.toml", "--trust", trust);
      process
          .getOutputStream()
          .write(
              """
              x = 40
              if x:
                  t = tool("read_file", path="a.txt")
                  a = llm_query("One")
                  b = llm_query("Two")
              x + 2
              """
                  .getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      assertThat(second.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS)).as("asked " + asked).isTrue();
      process.destroyForcibly().waitFor();
      over.countDown();
      desk.write("notes/a.txt", "new");
      var said = Files.readString(desk.folder().resolve("stderr.txt"));
      var thread = said.replaceAll("(?s).*?thread (repl-[a-z0-9-]+).*", "$1");
      assertThat(desk.run("threads", "break", thread, "--yes").exit()).isZero();
      var goes = desk.piping("[x, t, a, b]\nstatus\n").spawn("repl", "--resume", thread);
      assertThat(goes.exit()).as(goes.err()).isZero();
      assertThat(goes.out()).startsWith("[40, 'old', 'said', 'said']\n").contains("3 model calls");
      assertThat(asked).containsExactly("one", "two", "two");
    } finally {
      over.countDown();
      server.stop(0);
    }
  }
}
