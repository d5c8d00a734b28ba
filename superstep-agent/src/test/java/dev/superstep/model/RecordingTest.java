package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T10:00:00Z"));

  @TempDir Path folder;

  @Test
  void recorded_replies_are_replayed_and_marked() throws InterruptedException {
    var file = folder.resolve("weather.jsonl");
    var said = new AssistantMessage("", "é\n", List.of(new ToolCall("c1", "tell", "{\"a\":1}")));
    var live =
        ScriptedModel.replying(
            ScriptedModel.reply(said, new Usage(3, 1, 2, 0), ChatReply.Finish.TOOL_CALLS));
    try (var recording = RecordingModel.open(file, live, "for a test", CLOCK)) {
      recording.call(ask("Oslo?"));
    }
    var replay = RecordedModel.open(file);
    var reply = replay.call(ask("Oslo?"));
    assertThat(reply.message()).isEqualTo(said);
    assertThat(reply.usage()).isEqualTo(new Usage(3, 1, 2, 0));
    assertThat(reply.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
    assertThat(reply.source()).isEqualTo(ChatReply.Source.RECORDED);
    assertThat(reply.model()).isEqualTo(live.ref());
    assertThat(replay.recorded()).isEqualTo(live.ref());
    assertThat(replay.ref().provider()).isEqualTo("recorded");
    assertThat(replay.size()).isEqualTo(1);
  }

  @Test
  void the_file_is_text_that_people_can_review() throws Exception {
    var file = folder.resolve("greeting.jsonl");
    try (var recording =
        RecordingModel.open(file, ScriptedModel.saying("Hello"), "a note", CLOCK)) {
      recording.call(ask("Hi"));
    }
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {"superstepRecording":2,"model":"scripted://test","date":"2026-11-21","note":"a note"}
            {"key":"%s","asked":"Hi","reply":{"message":{"id":"",\
            "content":[{"type":"Text","text":"Hello"}],"calls":[]},"usage":{"input":0,\
            "cachedInput":0,"cacheWrite":0,"output":0,"reasoning":0,"estimated":false},\
            "finish":"STOP","model":{"provider":"scripted","model":"test"},\
            "source":"SCRIPTED","receipt":{"id":"","model":""}}}
            """
                .formatted(RequestKey.of(ask("Hi")).hex()));
  }

  @Test
  void the_key_of_a_request_never_changes() {
    // Pinned: a change here makes every recording in the world useless.
    assertThat(RequestKey.of(full()).hex())
        .isEqualTo("a1a1e5ac3efa4d53f6081fd7feb9f39d22445ecdc27828dcdae378da06d7558a");
  }

  @Test
  void all_that_a_model_sees_is_in_the_key_and_nothing_else() {
    var key = RequestKey.of(full());
    assertThat(RequestKey.of(full().withTimeout(Duration.ofSeconds(1)))).isEqualTo(key);
    assertThat(RequestKey.of(ChatRequest.of(new UserMessage("id-7", "Hi"))))
        .isEqualTo(RequestKey.of(ask("Hi")));
    assertThat(
            Stream.of(
                    full(),
                    full().withTemperature(1),
                    full().withMaxTokens(6),
                    full().withSeed(8),
                    full().withTools(List.of()),
                    full().withFormat(new ResponseFormat.Text()),
                    ask("Hi"),
                    ask("Hi "),
                    ChatRequest.of(Message.system("Hi")),
                    ChatRequest.of(Message.assistant("Hi")),
                    ChatRequest.of(new ToolMessage("", "c", "t", "Hi", false)),
                    ChatRequest.of(new ToolMessage("", "c", "t", "Hi", true)),
                    ChatRequest.of(Message.user(new Content.Text("Hi"), PICTURE)),
                    ask("Hi").withTopP(0.5),
                    ask("Hi").withStop("."),
                    ask("Hi").withHostedTools(new HostedTool("openai", Json.parse("{}"))),
                    ask("Hi").withHostedTools(new HostedTool("gemini", Json.parse("{}"))),
                    ask("Hi")
                        .withHostedTools(new HostedTool("gemini", Json.parse("{}")).withBetas("b")),
                    ask("Hi")
                        .withHostedTools(
                            new HostedTool("gemini", Json.parse("{}"))
                                .withFields(Json.parse("{\"a\":[]}"))),
                    ask("Hi").withEffort(Effort.LOW),
                    ask("Hi").withToolChoice(new ToolChoice.Required()),
                    ask("Hi").withVendorOptions(Json.parse("{\"logprobs\":true}")))
                .map(RequestKey::of))
        .doesNotHaveDuplicates();
  }

  /// A new part of a request fails this until somebody has decided whether a model sees it.
  @Test
  void each_part_of_a_request_is_in_the_key_or_left_out_on_purpose() {
    assertThat(
            Stream.of(ChatRequest.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName))
        .containsExactlyInAnyOrder(
            "messages",
            "tools",
            "format",
            "temperature",
            "maxTokens",
            "seed",
            "topP",
            "stop",
            "effort",
            "toolChoice",
            "vendorOptions",
            "hostedTools",
            "deferredTools",
            // Left out:
            "firstByteTimeout",
            "idleTimeout",
            "wholeReplyTimeout",
            "prefix",
            "cacheHint",
            "needs",
            "labels",
            "timeout");
    var plain = ask("Hi");
    var key = RequestKey.of(plain);
    assertThat(RequestKey.of(plain.withPrefix(1, CacheHint.LONG))).isEqualTo(key);
    assertThat(RequestKey.of(plain.withNeeds(Capability.TOOLS))).isEqualTo(key);
    assertThat(RequestKey.of(plain.withLabel("a", "b"))).isEqualTo(key);
  }

  @Test
  void a_request_that_was_not_recorded_is_an_error_naming_file_and_request() {
    var file = folder.resolve("empty.jsonl");
    RecordingModel.open(file, ScriptedModel.saying(), "", CLOCK).close();
    assertThatThrownBy(() -> RecordedModel.open(file).call(ask("Who?")))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE))
        .hasMessageContaining("empty.jsonl")
        .hasMessageContaining("Who?");
  }

  @Test
  void parallel_callers_lose_nothing_and_the_file_does_not_depend_on_them() throws Exception {
    var model = ScriptedModel.by(r -> ScriptedModel.text("re " + r.messages().getLast().text()));
    var one = record(folder.resolve("one.jsonl"), model, 1);
    var many = record(folder.resolve("many.jsonl"), model, 8);
    assertThat(Files.readString(many)).isEqualTo(Files.readString(one)).hasLineCount(101);
    assertThat(RecordedModel.open(many).call(ask("question 42")).message().text())
        .isEqualTo("re question 42");
  }

  @Test
  void a_recording_is_continued_after_a_stop_without_close() throws Exception {
    var file = folder.resolve("stopped.jsonl");
    RecordingModel.open(file, ScriptedModel.saying("one"), "first", CLOCK).call(ask("1"));
    try (var again = RecordingModel.open(file, ScriptedModel.saying("two"), "second", CLOCK)) {
      again.call(ask("2"));
    }
    assertThat(RecordedModel.open(file).call(ask("1")).message().text()).isEqualTo("one");
    assertThat(RecordedModel.open(file).call(ask("2")).message().text()).isEqualTo("two");
  }

  @Test
  void the_first_of_two_replies_to_a_request_is_recorded() throws Exception {
    var file = folder.resolve("twice.jsonl");
    try (var recording = RecordingModel.open(file, ScriptedModel.saying("a", "b"), "", CLOCK)) {
      assertThat(recording.call(ask("1")).message().text()).isEqualTo("a");
      assertThat(recording.call(ask("1")).message().text()).isEqualTo("b");
    }
    assertThat(RecordedModel.open(file).call(ask("1")).message().text()).isEqualTo("a");
  }

  @Test
  void a_stream_is_recorded_and_replayed_as_text() throws Exception {
    var file = folder.resolve("stream.jsonl");
    var heard = new ArrayList<String>();
    try (var recording = RecordingModel.open(file, ScriptedModel.saying("Hello"), "", CLOCK)) {
      recording.stream(ask("1"), heard::add);
    }
    RecordedModel.open(file).stream(ask("1"), heard::add);
    assertThat(heard).containsExactly("Hello", "Hello");
  }

  @Test
  void a_bad_line_is_an_error_with_its_number() throws IOException, InterruptedException {
    var file = folder.resolve("bad.jsonl");
    try (var recording = RecordingModel.open(file, ScriptedModel.saying("a"), "", CLOCK)) {
      recording.call(ask("1"));
    }
    var good = Files.readAllLines(file);
    check(file, 3, List.of(good.get(0), good.get(1), "{\"key\":\"x\""));
    check(file, 3, List.of(good.get(0), good.get(1), ""));
    check(file, 3, List.of(good.get(0), good.get(1), good.get(1)));
    check(file, 2, List.of(good.get(0), good.get(1).replace("scripted", "no scheme")));
    check(file, 1, List.of(good.get(1)));
    check(file, 1, List.of(good.get(0).replace("Recording\":2", "Recording\":3")));
    check(file, 1, List.of());
  }

  @Test
  void a_missing_file_and_another_model_are_refused() {
    assertThatThrownBy(() -> RecordedModel.open(folder.resolve("none.jsonl")))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("none.jsonl");
    var file = folder.resolve("other.jsonl");
    RecordingModel.open(file, ScriptedModel.saying(), "", CLOCK).close();
    var other = new ScriptedModel(new ModelRef("openai", "gpt-5.2"), List.of(), List.of());
    assertThatThrownBy(() -> RecordingModel.open(file, other, "", CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("openai://gpt-5.2");
  }

  private static void check(Path file, int line, List<String> lines) throws IOException {
    Files.write(file, lines);
    assertThatThrownBy(() -> RecordedModel.open(file))
        .isInstanceOfSatisfying(MalformedRecording.class, e -> assertThat(e.line()).isEqualTo(line))
        .hasMessageContaining("bad.jsonl, line " + line);
  }

  private static Path record(Path file, ChatModel model, int threads) throws Exception {
    try (var recording = RecordingModel.open(file, model, "", CLOCK);
        var pool = Executors.newFixedThreadPool(threads)) {
      var asks = new ArrayList<Callable<ChatReply>>();
      for (int i = 0; i < 100; i++) {
        var request = ask("question " + i);
        asks.add(() -> recording.call(request));
      }
      for (var done : pool.invokeAll(asks)) done.get();
    }
    return file;
  }

  private static final Content.Image PICTURE = new Content.Image("image/png", "aGk=");

  private static ChatRequest ask(String text) {
    return ChatRequest.of(Message.user(text));
  }

  private static ChatRequest full() {
    return ChatRequest.of(
            Message.system("Be kind."),
            Message.user("Weather?"),
            new AssistantMessage("m", "", List.of(new ToolCall("c1", "tell", "{}"))),
            new ToolMessage("n", "c1", "tell", "sun", false))
        .withTools(List.of(new ToolSpec("tell", "Tells", Json.parse("{ \"type\": \"object\" }"))))
        .withFormat(new ResponseFormat.JsonSchema("Sky", Json.parse("{}")))
        .withTemperature(0.5)
        .withMaxTokens(5)
        .withSeed(7);
  }
}
