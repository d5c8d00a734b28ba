package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptedModelTest {
  @TempDir Path folder;

  @Test
  void replies_come_in_order_and_the_end_is_an_error() throws InterruptedException {
    var model = ScriptedModel.saying("one", "two");
    assertThat(say(model, "a")).isEqualTo("one");
    assertThat(say(model, "b")).isEqualTo("two");
    assertThatThrownBy(() -> say(model, "c"))
        .isInstanceOf(ModelException.class)
        .hasMessage(
            "Script scripted://test is at its end: 3 calls, 2 fixed replies, 0 rules, none for: c");
    assertThat(model.requests())
        .extracting(r -> r.messages().getLast().text())
        .containsExactly("a", "b", "c");
  }

  @Test
  void each_fixed_reply_goes_to_one_of_many_callers() throws Exception {
    var texts = new ArrayList<String>();
    for (int i = 0; i < 200; i++) texts.add("reply " + i);
    var model = ScriptedModel.saying(texts.toArray(String[]::new));
    var heard = Collections.synchronizedList(new ArrayList<String>());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Boolean> call = () -> heard.add(say(model, "x"));
      for (var done : threads.invokeAll(Collections.nCopies(200, call))) done.get();
    }
    assertThat(heard).containsExactlyInAnyOrderElementsOf(texts);
    assertThat(model.calls()).isEqualTo(200);
  }

  @Test
  void a_script_file_holds_rules_and_fixed_replies() throws Exception {
    var file =
        script(
            """
            {"replies": [
              {"when": "weather", "calls": [{"tool": "get_weather", "arguments": {"city": "Oslo"}},
                {"id": "x", "tool": "get_weather", "arguments": "{broken"}]},
              {"text": "first"},
              {"text": "second", "finish": "LENGTH", "usage": {"input": 10, "output": 5}}
            ]}
            """);
    var model = ScriptedModel.open(file);
    assertThat(model.ref().url()).isEqualTo("scripted://" + file);
    assertThat(say(model, "hello")).isEqualTo("first");
    for (int i = 0; i < 2; i++) {
      var asked = model.call(ChatRequest.of(Message.user("The weather?")));
      assertThat(asked.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
      assertThat(asked.message().calls())
          .containsExactly(
              new ToolCall("call-1-1", "get_weather", "{\"city\":\"Oslo\"}"),
              new ToolCall("x", "get_weather", "{broken"));
    }
    var second = model.call(ChatRequest.of(Message.user("more")));
    assertThat(second.finish()).isEqualTo(ChatReply.Finish.LENGTH);
    assertThat(second.usage()).isEqualTo(new Usage(10, 0, 5, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"replies\":[{\"txt\":\"a\"}]}",
        "{\"replies\":[{\"finish\":\"NOW\"}]}",
        "{\"replies\":[{\"calls\":[{\"tool\":\"t\"}]}]}"
      })
  void a_malformed_script_is_an_error_naming_the_file(String text) throws IOException {
    var file = script(text);
    assertThatThrownBy(() -> ScriptedModel.open(file))
        .isInstanceOf(MalformedScript.class)
        .hasMessageContaining("script.json");
  }

  @Test
  void a_missing_script_is_an_error_naming_the_file() {
    assertThatThrownBy(() -> ScriptedModel.open(folder.resolve("none.json")))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("none.json");
  }

  private Path script(String text) throws IOException {
    return Files.writeString(folder.resolve("script.json"), text);
  }

  private static String say(ChatModel model, String question) throws InterruptedException {
    return model.call(ChatRequest.of(Message.user(question))).message().text();
  }
}
