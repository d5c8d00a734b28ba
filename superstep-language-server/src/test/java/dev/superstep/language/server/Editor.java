package dev.superstep.language.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A client that starts a server as a process and speaks JSON-RPC with it, as an editor does. It
/// knows nothing of the server's classes. One thread at a time.
final class Editor implements AutoCloseable {
  private static final long WAIT_SECONDS = 60;

  private final Process process;
  private final OutputStream out;
  private final BlockingQueue<JsonObject> received = new LinkedBlockingQueue<>();
  private final List<JsonObject> unread = new ArrayList<>();
  private int lastId;
  private int lastDocument;

  private Editor(Process process) {
    this.process = process;
    this.out = process.getOutputStream();
    Thread.ofVirtual().start(this::read);
  }

  /// Starts a server that has been initialized.
  static Editor started() throws IOException, InterruptedException {
    var editor = process();
    editor.ask("initialize", object("{'processId': null, 'capabilities': {}, 'rootUri': null}"));
    editor.tell("initialized", new JsonObject());
    return editor;
  }

  /// Starts a server that nobody has spoken to.
  static Editor process() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
            java,
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            ServerProcess.class.getName());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return new Editor(builder.start());
  }

  static JsonObject object(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void read() {
    try (var in = new DataInputStream(process.getInputStream())) {
      while (true) {
        int length = length(in);
        var body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        received.add(JsonParser.parseString(body).getAsJsonObject());
      }
    } catch (IOException _) {
      // The server has ended.
    }
  }

  @SuppressWarnings("deprecation")
  private static int length(DataInputStream in) throws IOException {
    int length = -1;
    for (var line = in.readLine(); ; line = in.readLine()) {
      if (line == null) throw new IOException("the end");
      if (line.isEmpty()) return length;
      if (line.startsWith("Content-Length: ")) length = Integer.parseInt(line.substring(16));
    }
  }

  void raw(String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    out.write(("Content-Length: " + bytes.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.flush();
  }

  void tell(String method, JsonElement params) throws IOException {
    var message = object("{'jsonrpc': '2.0'}");
    message.addProperty("method", method);
    message.add("params", params);
    raw(message.toString());
  }

  /// Sends a request without waiting for its answer.
  int send(String method, JsonElement params) throws IOException {
    var message = object("{'jsonrpc': '2.0'}");
    message.addProperty("id", ++lastId);
    message.addProperty("method", method);
    message.add("params", params);
    raw(message.toString());
    return lastId;
  }

  /// The whole answer to a request: with a result, or an error.
  JsonObject answer(int id) throws InterruptedException {
    return next(
        each -> each.has("id") && each.get("id").toString().equals("" + id) && !each.has("method"));
  }

  /// The result of a request.
  JsonElement ask(String method, JsonElement params) throws IOException, InterruptedException {
    var answer = answer(send(method, params));
    assertThat(answer.has("error")).as(answer.toString()).isFalse();
    return answer.get("result");
  }

  /// The error that a request is answered by.
  JsonObject fails(String method, JsonElement params) throws IOException, InterruptedException {
    var answer = answer(send(method, params));
    assertThat(answer.has("error")).as(answer.toString()).isTrue();
    return answer.getAsJsonObject("error");
  }

  private interface Wanted {
    boolean is(JsonObject message);
  }

  private JsonObject next(Wanted wanted) throws InterruptedException {
    for (var each : unread) {
      if (!wanted.is(each)) continue;
      unread.remove(each);
      return each;
    }
    while (true) {
      var message = received.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(message).as("nothing came from the server").isNotNull();
      if (wanted.is(message)) return message;
      unread.add(message);
    }
  }

  /// Opens a document, and returns its URI.
  String open(String text) throws IOException {
    var uri = "file:///work/d" + ++lastDocument + ".rag";
    var item = object("{'languageId': 'rag', 'version': 1}");
    item.addProperty("uri", uri);
    item.addProperty("text", text);
    var params = new JsonObject();
    params.add("textDocument", item);
    tell("textDocument/didOpen", params);
    return uri;
  }

  /// Changes a part of a document.
  void change(String uri, int version, String range, String text) throws IOException {
    var change = object(range.isEmpty() ? "{}" : "{'range': " + range(range) + "}");
    change.addProperty("text", text);
    var changes = new JsonArray();
    changes.add(change);
    var params = new JsonObject();
    var document = new JsonObject();
    document.addProperty("uri", uri);
    document.addProperty("version", version);
    params.add("textDocument", document);
    params.add("contentChanges", changes);
    tell("textDocument/didChange", params);
  }

  /// A range of the protocol, of `1:4-1:9`.
  static String range(String text) {
    var n = text.split("[:-]");
    return "{'start': {'line': %s, 'character': %s}, 'end': {'line': %s, 'character': %s}}"
        .formatted(n[0], n[1], n[2], n[3]);
  }

  /// A range as `1:4-1:9`.
  static String shown(JsonObject range) {
    return shownAt(range.getAsJsonObject("start")) + "-" + shownAt(range.getAsJsonObject("end"));
  }

  private static String shownAt(JsonObject at) {
    return at.get("line") + ":" + at.get("character");
  }

  /// The next findings about a version of a document, as `1:4-1:9 code`.
  List<String> findings(String uri, int version) throws InterruptedException {
    return diagnostics(uri, version).asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(each -> shown(each.getAsJsonObject("range")) + " " + code(each))
        .toList();
  }

  private static String code(JsonObject diagnostic) {
    return diagnostic.has("code") ? diagnostic.get("code").getAsString() : "";
  }

  JsonArray diagnostics(String uri, int version) throws InterruptedException {
    var message =
        next(each -> {
          if (!each.has("method")) return false;
          if (!each.get("method").getAsString().endsWith("publishDiagnostics")) return false;
          var params = each.getAsJsonObject("params");
          boolean isVersion =
              !params.has("version") ? version == 0 : params.get("version").getAsInt() == version;
          return params.get("uri").getAsString().equals(uri) && isVersion;
        });
    return message.getAsJsonObject("params").getAsJsonArray("diagnostics");
  }

  static JsonObject at(String uri, int line, int character) {
    var params = new JsonObject();
    params.add("textDocument", object("{'uri': '" + uri + "'}"));
    params.add("position", object("{'line': %d, 'character': %d}".formatted(line, character)));
    return params;
  }

  /// A text without the mark `‸` of a cursor, and where that was.
  record Cursor(String text, int line, int character) {
    static Cursor of(String text) {
      int at = text.indexOf('‸');
      var before = text.substring(0, at);
      int line = (int) before.chars().filter(c -> c == '\n').count();
      int character = at - (before.lastIndexOf('\n') + 1);
      return new Cursor(before + text.substring(at + 1), line, character);
    }
  }

  /// Asks something about the place of the cursor in a text of its own.
  JsonElement askAt(String method, String text) throws IOException, InterruptedException {
    var cursor = Cursor.of(text);
    return ask(method, at(open(cursor.text()), cursor.line(), cursor.character()));
  }

  /// Closes the stream that the server reads.
  void hangUp() throws IOException {
    out.close();
  }

  int exit() throws InterruptedException {
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
