package dev.superstep.acp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An editor for tests, at the other end of two streams.
final class Editor implements AutoCloseable {
  static final JsonMapper JSON = new JsonMapper();
  private static final long SECONDS = 30;

  private final OutputStream to;
  private final AtomicInteger ids = new AtomicInteger();
  private final List<JsonNode> updates = new CopyOnWriteArrayList<>();
  private final BlockingQueue<JsonNode> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<JsonNode> errors = new LinkedBlockingQueue<>();
  private final Map<Integer, BlockingQueue<JsonNode>> replies = new ConcurrentHashMap<>();
  private final Map<String, Function<JsonNode, Optional<String>>> methods =
      new ConcurrentHashMap<>();
  private final Thread reader;
  private volatile String wrong = "";

  Editor(InputStream from, OutputStream to) {
    this.to = to;
    this.reader = Thread.ofPlatform().daemon().start(() -> read(from));
  }

  private void read(InputStream from) {
    try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("{")) wrong = line;
        take(JSON.readTree(line));
      }
    } catch (IOException e) {
      // The process was killed.
    }
  }

  private void take(JsonNode message) throws IOException {
    var method = message.path("method").asString("");
    if (method.equals("session/update")) {
      updates.add(message.path("params").path("update"));
    } else if (!method.isEmpty()) {
      var handler = methods.get(method);
      if (handler == null) {
        requests.add(message);
      } else {
        var result = handler.apply(message.path("params"));
        if (result.isPresent()) answer(message, result.get());
        else refuse(message, -32603, "It is not there.");
      }
    } else {
      var id = message.path("id");
      var queue = id.isInt() ? replies.get(id.intValue()) : null;
      if (queue == null) errors.add(message);
      else queue.add(message);
    }
  }

  /// Answers a method by itself: with a result, or an error where there is none.
  Editor on(String method, Function<JsonNode, Optional<String>> handler) {
    methods.put(method, handler);
    return this;
  }

  // --- Sending ---

  void raw(String line) throws IOException {
    raw((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  synchronized void raw(byte[] bytes) throws IOException {
    to.write(bytes);
    to.flush();
  }

  int send(String method, String params) throws IOException {
    int id = ids.incrementAndGet();
    replies.put(id, new LinkedBlockingQueue<>());
    raw(
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
            .formatted(id, method, params.replace("\n", " ")));
    return id;
  }

  void tell(String method, String params) throws IOException {
    raw("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}".formatted(method, params));
  }

  /// The whole reply to a request.
  JsonNode reply(int id) throws InterruptedException {
    return taken(replies.get(id), "a reply to " + id);
  }

  JsonNode ask(String method, String params) throws Exception {
    return reply(send(method, params));
  }

  /// The next error without a known id.
  JsonNode error() throws InterruptedException {
    return taken(errors, "an error").path("error");
  }

  boolean hasNoError() {
    return errors.isEmpty() && wrong.isEmpty();
  }

  /// The next request of the agent.
  JsonNode request() throws InterruptedException {
    return taken(requests, "a request");
  }

  boolean hasNoRequest() {
    return requests.isEmpty();
  }

  private JsonNode taken(BlockingQueue<JsonNode> queue, String what) throws InterruptedException {
    var one = queue.poll(SECONDS, TimeUnit.SECONDS);
    if (one == null) throw new AssertionError("no " + what + "; updates: " + updates);
    return one;
  }

  void answer(JsonNode request, String result) throws IOException {
    raw(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}"
            .formatted(request.path("id"), result.replace("\n", " ")));
  }

  void refuse(JsonNode request, int code, String why) throws IOException {
    raw(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"%s\"}}"
            .formatted(request.path("id"), code, why));
  }

  void choose(JsonNode request, String option) throws IOException {
    answer(request, "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"" + option + "\"}}");
  }

  // --- The usual steps ---

  Editor greet(boolean hasFiles) throws Exception {
    return greet(hasFiles, false);
  }

  Editor greet(boolean hasFiles, boolean hasTerminals) throws Exception {
    var greeting =
        "{\"protocolVersion\":1,\"clientCapabilities\":{\"fs\":{\"readTextFile\":%b,"
            + "\"writeTextFile\":%b},\"terminal\":%b}}";
    ask("initialize", greeting.formatted(hasFiles, hasFiles, hasTerminals));
    return this;
  }

  String open(Path folder) throws Exception {
    var reply = ask("session/new", "{\"cwd\":\"" + folder + "\",\"mcpServers\":[]}");
    return reply.path("result").path("sessionId").asString();
  }

  int begin(String session, String text) throws IOException {
    var params = "{\"sessionId\":\"%s\",\"prompt\":[{\"type\":\"text\",\"text\":\"%s\"}]}";
    return send("session/prompt", params.formatted(session, text));
  }

  /// The stop reason of a prompt.
  String prompt(String session, String text) throws Exception {
    return reason(begin(session, text));
  }

  String reason(int id) throws InterruptedException {
    var reply = reply(id);
    return reply.path("result").path("stopReason").asString(String.valueOf(reply));
  }

  JsonNode load(String session, Path folder) throws Exception {
    var params = "{\"sessionId\":\"%s\",\"cwd\":\"%s\",\"mcpServers\":[]}";
    return ask("session/load", params.formatted(session, folder));
  }

  void cancel(String session) throws IOException {
    tell("session/cancel", "{\"sessionId\":\"" + session + "\"}");
  }

  // --- What it was told ---

  List<JsonNode> updates(String kind) {
    return updates.stream()
        .filter(one -> one.path("sessionUpdate").asString("").equals(kind))
        .toList();
  }

  /// The pieces of text of a kind, joined.
  String text(String kind) {
    return updates(kind).stream()
        .map(one -> one.path("content").path("text").asString(""))
        .collect(Collectors.joining());
  }

  String said() {
    return text("agent_message_chunk");
  }

  /// The statuses of tool calls, in order: `id status`.
  List<String> statuses() {
    return updates.stream()
        .filter(one -> one.path("sessionUpdate").asString("").startsWith("tool_call"))
        .map(one -> one.path("toolCallId").asString("") + " " + one.path("status").asString(""))
        .toList();
  }

  void forget() {
    updates.clear();
  }

  @Override
  public void close() throws Exception {
    to.close();
    reader.join();
  }
}
