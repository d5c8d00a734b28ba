package dev.superstep.model.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a model writes takes work that grows evenly with it. With work that grows with its square
/// each of these would take hours.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LinearCostTest {
  private static final int MANY = 3_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"< ", "</ ", "</\n", "<\t/", "<"})
  void blanks_after_a_bracket_are_looked_at_once(String start) {
    var text = start + start.substring(start.length() - 1).repeat(MANY) + "x";
    assertThat(ToolTags.harmless(text)).isEqualTo(text);
    assertThat(ToolTags.harmless("< / \n tool_call>")).isEqualTo("&lt; / \n tool_call>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "<", "<tool_cal", "<tool_call>"})
  void a_text_that_arrives_in_small_pieces_is_looked_at_once(String piece) throws Exception {
    int times = MANY / piece.length();
    var heard = new StringBuilder();
    var model = DialectModel.of(new Piecemeal(piece, times), Dialect.XML);
    var reply = model.stream(ChatRequest.of(Message.user("Go.")), heard::append);
    assertThat(heard).hasToString(reply.message().text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "<", "<think></think>", "<think>a", "<think> </think> "})
  void thoughts_that_arrive_in_small_pieces_are_looked_at_once(String piece) throws Exception {
    int times = MANY / piece.length();
    var heard = new StringBuilder();
    var model = RepairedModel.of(new Piecemeal(piece, times));
    var reply = model.stream(ChatRequest.of(Message.user("Go.")), heard::append);
    assertThat(heard).hasToString(reply.message().text());
  }

  @Test
  void detection_in_a_streamed_text_does_not_depend_on_chunk_boundaries() throws Exception {
    var texts =
        List.of(
            " <think> a </think> \n<think>b</think>  Said. ",
            "  Said <think>a</think>",
            "<thin",
            "<think>never ends",
            " \n ",
            "Before <tool_call>{\"name\":\"x\"}</tool_call> after ",
            "Before <tool_call",
            "<<<tool_call>");
    for (var text : texts) {
      for (int size = 1; size <= text.length(); size++) {
        for (var model :
            List.of(
                RepairedModel.of(new Cut(text, size)),
                DialectModel.of(new Cut(text, size), Dialect.XML))) {
          var heard = new StringBuilder();
          var reply = model.stream(ChatRequest.of(Message.user("Go.")), heard::append);
          assertThat(heard).as("%s by %d", text, size).hasToString(reply.message().text());
        }
      }
    }
  }

  /// Says the same piece again and again.
  private record Piecemeal(String piece, int times) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "piecemeal");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      var message = new AssistantMessage("", piece.repeat(times), List.of());
      return ScriptedModel.reply(message, Usage.NONE, ChatReply.Finish.STOP);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener) {
      for (int i = 0; i < times; i++) listener.onText(piece);
      return call(request);
    }
  }

  /// Says a text in pieces of one size.
  private record Cut(String text, int size) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "cut");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      return ScriptedModel.text(text);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener) {
      for (int i = 0; i < text.length(); i += size) {
        listener.onText(text.substring(i, Math.min(text.length(), i + size)));
      }
      return call(request);
    }
  }
}
