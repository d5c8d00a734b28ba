package dev.superstep.model.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The messages about a connection that fails name its true cause, read as a user reads them.
@Timeout(30)
@Tag("T47")
class BrokenConnectionTest {
  private static final String PIECE =
      "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Once upon\"}}]}\n\n";

  @Test
  void a_refused_connection_names_the_address_and_asks_if_the_server_runs() throws IOException {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    var host = "127.0.0.1:" + port;
    var ollama = failure("ollama://" + host + "/qwen3:8b");
    assertThat(ollama.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(ollama)
        .hasMessage(
            "Ollama cannot be reached at http://%s: connection refused (`ollama://%s/qwen3:8b`)."
                    .formatted(host, host)
                + " Is Ollama running? `ollama serve` starts it.");
    assertThat(failure("openai-compatible://http://" + host + "/v1/m"))
        .hasMessageContaining("http://" + host)
        .hasMessageEndingWith("Is the server running, and is this its port?");
  }

  @Test
  void a_server_that_hangs_up_was_reached() throws IOException {
    var failure = failureOf("");
    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(failure)
        .hasMessageContaining("closed the connection before it replied")
        .hasMessageEndingWith(" Ask again.");
  }

  @Test
  void a_stream_that_is_cut_tells_how_much_arrived() throws IOException {
    var begun =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5000\r\n\r\n";
    var failure = failureOf(begun + PIECE);
    assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
    assertThat(failure.isRetryable()).isTrue();
    assertThat(failure)
        .hasMessageContaining("broke off its reply after %d bytes: ".formatted(PIECE.length()))
        .hasMessageEndingWith("What arrived is void; ask again.");
  }

  @Test
  void a_broken_piece_in_the_middle_is_no_fault_of_the_base_url() throws IOException {
    var body = PIECE + "data: {\"choices\":[{\"del\n\n";
    var failure = failureOf(whole(body));
    assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
    assertThat(failure)
        .hasMessageContaining("sent a broken piece of 17 characters in the middle of its reply")
        .hasMessageNotContaining("base URL");
    assertThat(failureOf(whole("data: <html>\n\n"))).hasMessageEndingWith("Check the base URL.");
    assertThat(failureOf(whole(PIECE)))
        .hasMessageContaining(
            "ended its reply in the middle, after %d bytes".formatted(PIECE.length()));
  }

  private static String whole(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.length(), body);
  }

  /// The failure of a streamed call of a server that sends a text and closes the connection.
  private static ModelException failureOf(String reply) throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerAll(server, reply));
      return failure("openai-compatible://http://127.0.0.1:" + server.getLocalPort() + "/v1/m");
    }
  }

  private static void answerAll(ServerSocket server, String reply) {
    while (true) {
      try (var socket = server.accept()) {
        readRequest(socket);
        socket.getOutputStream().write(reply.getBytes(UTF_8));
      } catch (IOException e) {
        if (server.isClosed()) return;
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void readRequest(Socket socket) throws IOException {
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    int length = 0;
    for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    for (int i = 0; i < length; i++) in.read();
  }

  private static ModelException failure(String url) {
    var model = VendorModels.open(ModelRef.parse(url), Environment.of(Map.of()));
    var request = ChatRequest.of(Message.user("Tell me a story."));
    return catchThrowableOfType(ModelException.class, () -> model.stream(request, _ -> {}));
  }
}
