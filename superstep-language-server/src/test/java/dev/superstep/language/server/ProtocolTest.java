package dev.superstep.language.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.superstep.language.check.Names;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The connection itself: beginning, end, and messages that are wrong.
@Timeout(300)
class ProtocolTest {
  @Test
  void the_server_says_what_it_can() throws Exception {
    try (var editor = Editor.process()) {
      var result =
          editor.ask("initialize", Editor.object("{'processId': null, 'capabilities': {}}"));
      var can = result.getAsJsonObject().getAsJsonObject("capabilities");
      assertThat(can.get("positionEncoding").getAsString()).isEqualTo("utf-16");
      assertThat(can.getAsJsonObject("textDocumentSync").get("change").getAsInt()).isEqualTo(2);
      assertThat(can.keySet())
          .contains(
              "completionProvider",
              "hoverProvider",
              "definitionProvider",
              "referencesProvider",
              "renameProvider",
              "documentFormattingProvider",
              "documentSymbolProvider");
    }
  }

  @Test
  void shutdown_and_exit_end_the_process_with_0() throws Exception {
    try (var editor = Editor.started()) {
      editor.ask("shutdown", new JsonObject());
      editor.tell("exit", new JsonObject());
      assertThat(editor.exit()).isZero();
    }
  }

  @Test
  void an_exit_without_shutdown_and_a_closed_stream_end_it_with_1() throws Exception {
    try (var editor = Editor.started()) {
      editor.tell("exit", new JsonObject());
      assertThat(editor.exit()).isEqualTo(1);
    }
    try (var editor = Editor.started()) {
      editor.hangUp();
      assertThat(editor.exit()).isEqualTo(1);
    }
  }

  @Test
  void an_unknown_method_is_an_error_and_an_unknown_notification_is_nothing() throws Exception {
    try (var editor = Editor.started()) {
      var error = editor.fails("textDocument/brew", new JsonObject());
      assertThat(error.get("code").getAsInt()).isEqualTo(-32601);
      editor.tell("$/brewed", new JsonObject());
      editor.tell("textDocument/brewed", new JsonObject());
      assertThat(editor.findings(editor.open("graph"), 1)).isNotEmpty();
    }
  }

  @Test
  void messages_that_are_wrong_do_not_end_the_server() throws Exception {
    try (var editor = Editor.started()) {
      editor.raw("{\"jsonrpc\": ");
      editor.raw("[]");
      editor.raw("{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":\"textDocument/hover\",\"params\":7}");
      assertThat(editor.answer(900).toString())
          .contains("\"error\"")
          .doesNotContain("dev.superstep");
      var nowhere = editor.ask("textDocument/hover", Editor.at("file:///none.rag", 3, 3));
      assertThat(nowhere.isJsonNull()).isTrue();
      editor.change("file:///none.rag", 2, "0:0-0:0", "x");
      var uri = editor.open("graph g {}");
      assertThat(editor.findings(uri, 1)).isNotEmpty();
      assertThat(editor.ask("textDocument/hover", Editor.at(uri, 9000, 9000)).isJsonNull())
          .isTrue();
    }
  }

  /// The server is busy with the names of the first source until the test lets it go on, so that
  /// the request is cancelled before its turn.
  @Test
  void a_request_that_is_cancelled_is_answered_so_and_the_next_one_is_done() throws Exception {
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    ProjectNames slow =
        _ -> {
          begun.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Names.unknown();
        };
    try (var toServer = new PipedOutputStream();
        var in = new PipedInputStream(toServer, 1 << 20);
        var out = new PipedOutputStream();
        var fromServer = new PipedInputStream(out, 1 << 20)) {
      var serving = Thread.ofVirtual().start(() -> serve(in, out, slow));
      send(toServer, "{'id': 1, 'method': 'initialize', 'params': {'capabilities': {}}}");
      assertThat(receive(fromServer).toString()).contains("capabilities");
      send(
          toServer,
          "{'method': 'textDocument/didOpen', 'params': {'textDocument': {'uri': 'file:///a.rag',"
              + " 'languageId': 'rag', 'version': 1, 'text': 'graph g {}'}}}");
      begun.await();
      var symbols =
          "'textDocument/documentSymbol', 'params': {'textDocument': {'uri':"
              + " 'file:///a.rag'}}}";
      send(toServer, "{'id': 2, 'method': " + symbols);
      send(toServer, "{'id': 3, 'method': " + symbols);
      send(toServer, "{'method': '$/cancelRequest', 'params': {'id': 2}}");
      var cancelled = receive(fromServer);
      assertThat(cancelled.get("id").getAsInt()).isEqualTo(2);
      assertThat(cancelled.getAsJsonObject("error").get("code").getAsInt()).isEqualTo(-32800);
      goOn.countDown();
      assertThat(receive(fromServer).get("method").getAsString()).endsWith("publishDiagnostics");
      assertThat(receive(fromServer).getAsJsonArray("result")).hasSize(1);
      send(toServer, "{'method': 'exit'}");
      serving.join();
    }
  }

  private static void serve(PipedInputStream in, PipedOutputStream out, ProjectNames names) {
    try {
      RagLanguageServer.serve(in, out, names);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void send(PipedOutputStream to, String json) throws IOException {
    var message = Editor.object(json);
    message.addProperty("jsonrpc", "2.0");
    var body = message.toString();
    to.write(
        ("Content-Length: " + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  private static JsonObject receive(PipedInputStream from) throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) head.append((char) from.read());
    int length =
        Integer.parseInt(head.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
    var body = new String(from.readNBytes(length), StandardCharsets.UTF_8);
    return JsonParser.parseString(body).getAsJsonObject();
  }
}
