package dev.superstep.model.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T118")
class RepairedModelTest {
  private static final ChatRequest REQUEST =
      ChatRequest.of(Message.user("Weather?"))
          .withTools(
              List.of(
                  new ToolSpec("look", "Looks.", Json.parse("{\"type\":\"object\"}")),
                  new ToolSpec("now", "Tells.", Json.parse("{\"type\":\"object\"}"))));

  @Test
  void a_text_that_is_one_call_is_that_call() throws Exception {
    for (var key : List.of("arguments", "parameters")) {
      var said = " {\"name\":\"look\",\"" + key + "\":{\"city\":\"Oslo\"}}\n";
      var reply = RepairedModel.of(ScriptedModel.saying(said)).call(REQUEST);
      assertThat(reply.message().calls())
          .containsExactly(new ToolCall("recovered-1", "look", "{\"city\":\"Oslo\"}"));
      assertThat(reply.message().text()).isEmpty();
      assertThat(reply.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
    }
  }

  @Test
  void any_other_text_stays_text() throws Exception {
    var texts =
        List.of(
            "{\"name\":\"fly\",\"arguments\":{}}",
            "{\"name\":\"look\"}",
            "{\"name\":\"look\",\"arguments\":[]}",
            "Call {\"name\":\"look\",\"arguments\":{}}",
            "{\"name\":\"look\",\"arguments\":{}} {\"name\":\"look\",\"arguments\":{}}",
            "[{\"name\":\"look\",\"arguments\":{}}]",
            "Use <think> to think.",
            "");
    for (var text : texts) {
      var reply = RepairedModel.of(ScriptedModel.saying(text)).call(REQUEST);
      assertThat(reply.message()).isEqualTo(Message.assistant(text));
    }
    var call = "{\"name\":\"look\",\"arguments\":{}}";
    var asked = ScriptedModel.saying(call, call, call);
    var model = RepairedModel.of(asked);
    var json = new ResponseFormat.JsonSchema("any", Json.parse("{}"));
    assertThat(model.call(REQUEST.withFormat(json)).message().text()).isEqualTo(call);
    var none = REQUEST.withToolChoice(new ToolChoice.None());
    assertThat(model.call(none).message().text()).isEqualTo(call);
    assertThat(model.call(REQUEST.withTools(List.of())).message().text()).isEqualTo(call);
  }

  @Test
  void thoughts_in_tags_are_thoughts() throws Exception {
    var said = "<think>\nHm.\n</think>\n\n<think></think>Sun.";
    var message = RepairedModel.of(ScriptedModel.saying(said)).call(REQUEST).message();
    assertThat(message.content())
        .containsExactly(new Content.Thinking("Hm.", Optional.empty()), new Content.Text("Sun."));
    var call = "<think>Hm.</think>{\"name\":\"now\",\"arguments\":{}}";
    var calling = RepairedModel.of(ScriptedModel.saying(call)).call(REQUEST).message();
    assertThat(calling.calls()).hasSize(1);
    assertThat(calling.thinking()).isEqualTo("Hm.");
    assertThat(calling.text()).isEmpty();
  }

  @Test
  void an_answer_that_was_cut_off_before_it_began_is_asked_for_once_more() throws Exception {
    var inner = ScriptedModel.replying(cut("<think>so much to"), cut("Sun"));
    var reply = RepairedModel.of(inner).call(REQUEST);
    assertThat(reply.message().text()).isEqualTo("Sun");
    assertThat(reply.usage().output()).isEqualTo(20);
    var twice = ScriptedModel.replying(cut(""), cut(" "), cut("never"));
    assertThat(RepairedModel.of(twice).call(REQUEST).message().isEmpty()).isTrue();
    assertThat(twice.calls()).isEqualTo(2);
  }

  @Test
  void a_server_that_takes_no_names_of_tools_is_offered_only_that_one() throws Exception {
    var inner =
        ScriptedModel.by(request -> {
          if (request.toolChoice() instanceof ToolChoice.Named) {
            throw new ModelException(ModelException.Kind.BAD_REQUEST, "no");
          }
          return ScriptedModel.text("ok");
        });
    RepairedModel.of(inner).call(REQUEST.withToolChoice(new ToolChoice.Named("now")));
    var second = inner.requests().getLast();
    assertThat(second.toolChoice()).isEqualTo(new ToolChoice.Required());
    assertThat(second.tools()).extracting(ToolSpec::name).containsExactly("now");
  }

  @Test
  void other_refusals_stand() {
    var inner =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.BAD_REQUEST, "no");
        });
    assertThatThrownBy(() -> RepairedModel.of(inner).call(REQUEST))
        .isInstanceOf(ModelException.class);
    assertThat(inner.calls()).isEqualTo(1);
  }

  @Test
  void the_pieces_of_a_stream_merge_to_the_returned_reply() throws Exception {
    var texts =
        List.of(
            "Sun.",
            "<think>Hm.</think> Sun.",
            "{\"name\":\"now\",\"arguments\":{}}",
            "{\"a\": 1}",
            "<b>Sun</b>",
            "<th",
            " ",
            "<think>Hm");
    for (var text : texts) {
      var heard = new StringBuilder();
      var thoughts = new StringBuilder();
      var calls = new StringBuilder();
      var reply =
          RepairedModel.of(new Letters(ScriptedModel.saying(text))).stream(
              REQUEST,
              new ChatModel.DeltaListener() {
                @Override
                public void onText(String piece) {
                  heard.append(piece);
                }

                @Override
                public void onThinking(String piece) {
                  thoughts.append(piece);
                }

                @Override
                public void onToolCall(ChatModel.ToolCallPiece piece) {
                  calls.append(piece.tool()).append(piece.arguments());
                }
              });
      assertThat(heard).hasToString(reply.message().text());
      assertThat(thoughts).hasToString(reply.message().thinking());
      assertThat(calls.isEmpty()).isEqualTo(reply.message().calls().isEmpty());
    }
  }

  private static ChatReply cut(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(5, 0, 10, 0), ChatReply.Finish.LENGTH);
  }
}
