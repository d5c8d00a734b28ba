package dev.superstep.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages in LangChain's form, both ways.
@Tag("H4.4")
class MessageJsonTest {
  private static final int CASES = Integer.getInteger("superstep.wire.cases", 500);

  @Test
  void every_message_survives_the_way_out_and_back() throws Exception {
    Property.check(
        7,
        CASES,
        MessageJsonTest::message,
        message -> {
          var text = MessageJson.write(message).toString();
          assertThat(MessageJson.read(WireThread.parsed(text), "m")).isEqualTo(message);
        });
  }

  private static Message message(Choices choices) {
    var id = choices.of("", "m1", "ä\u2028\"");
    return switch (choices.below(4)) {
      case 0 -> new UserMessage(id, content(choices));
      case 1 -> new SystemMessage(id, text(choices));
      case 2 -> new AssistantMessage(id, content(choices), choices.list(4, MessageJsonTest::call));
      default -> {
        var artifact =
            choices.chance(30) ? Optional.of(Json.parse("{\"a\":1.50}")) : Optional.<Json>empty();
        boolean isError = choices.chance(50);
        yield new ToolMessage(id, "c1", choices.of("", "f"), content(choices), isError, artifact);
      }
    };
  }

  private static ToolCall call(Choices choices) {
    var arguments = choices.of("{}", "{\"a\":[1,1E+400]}", "", "{\"a\":", "[1]", "\u0000");
    return new ToolCall(choices.of("", "c1"), choices.of("f", ""), arguments, seal(choices));
  }

  private static Optional<Content.Seal> seal(Choices choices) {
    return choices.chance(30)
        ? Optional.of(new Content.Seal("vendor", Json.parse("{\"sig\":null}")))
        : Optional.empty();
  }

  private static String text(Choices choices) {
    return choices.of("", "a", "\uD83D\uDE00 \u2028\r\n", "{\"type\":\"human\"}");
  }

  private static List<Content> content(Choices choices) {
    return choices.list(4, MessageJsonTest::part);
  }

  private static Content part(Choices choices) {
    var uri = URI.create("https://example.org/a?b=c");
    return switch (choices.below(8)) {
      case 0 -> new Content.Text(text(choices));
      case 1 -> new Content.Data(Json.parse(choices.of("null", "{\"a\":1}", "[]")));
      case 2 -> new Content.Image("image/png", "AAAA");
      case 3 -> new Content.ImageLink(uri);
      case 4 ->
          new Content.File(
              choices.of("application/pdf", "audio/wav", "video/mp4", "image/png"),
              "AAAA",
              choices.of("", "a.pdf"));
      case 5 -> new Content.FileLink(choices.of("application/pdf", "audio/wav"), uri);
      case 6 -> new Content.Thinking(text(choices), seal(choices));
      default -> new Content.Extension(new Content.Seal("v", Json.parse("[1]")));
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'role':'human','content':'a'} | human",
        "{'type':'human','content':'a'} | human",
        "{'role':'user','content':'a'} | human",
        "'a' | human",
        "['user','a'] | human",
        "{'role':'assistant','content':'a'} | ai",
        "{'type':'AIMessageChunk','content':'a','id':'x'} | ai",
        "{'lc':1,'type':'constructor','id':['langchain_core','messages','AIMessage'],'kwargs':{'content':'a'}}"
            + " | ai",
        "{'type':'system','content':'a'} | system",
        "{'type':'tool','content':'a','tool_call_id':'1'} | tool"
      },
      quoteCharacter = '~')
  void messagesAreTakenInTheFormsThatClientsSend(String json, String type) {
    var message = MessageJson.read(WireThread.json(json), "messages[0]");
    assertThat(message.text()).isEqualTo("a");
    assertThat(MessageJson.write(message).path("type").asString()).isEqualTo(type);
  }

  @Test
  void replies_of_models_always_have_both_lists_of_calls() {
    var json = MessageJson.write(Message.assistant("a"));
    assertThat(json.path("tool_calls").isArray()).isTrue();
    assertThat(json.path("invalid_tool_calls").isArray()).isTrue();
  }

  @Test
  void parts_that_chat_interfaces_upload_are_read() {
    var json =
        "{'type':'human','content':[{'type':'text','text':'see'},"
            + "{'type':'image','mimeType':'image/png','data':'AA','metadata':{'name':'a.png'}},"
            + "{'type':'file','mimeType':'application/pdf','data':'BB','metadata':{'filename':'b'}},"
            + "{'type':'image_url','image_url':{'url':'data:image/gif;base64,CC'}}]}";
    assertThat(MessageJson.read(WireThread.json(json), "m").content())
        .containsExactly(
            new Content.Text("see"),
            new Content.Image("image/png", "AA"),
            new Content.File("application/pdf", "BB", "b"),
            new Content.Image("image/gif", "CC"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "null",
        "[]",
        "['a']",
        "{}",
        "{'type':1}",
        "{'type':'alien','content':''}",
        "{'type':'human','content':1}",
        "{'type':'human','content':[1]}",
        "{'type':'human','content':[{'type':'text'}]}",
        "{'type':'human','content':[{'type':'image'}]}",
        "{'type':'human','content':[{'type':'image','url':':'}]}",
        "{'type':'human','id':7,'content':''}",
        "{'type':'tool','content':''}",
        "{'type':'ai','content':'','tool_calls':1}",
        "{'type':'ai','content':'','tool_calls':[1]}",
        "{'type':'ai','content':'','tool_calls':[{'name':1}]}",
        "{'lc':1}",
        "{'lc':1,'id':[],'kwargs':1}",
        "{'lc':1,'id':['x'],'kwargs':{}}",
        "{'type':'human','content':[{'type':'reasoning','extras':{'seal':{'vendor':1}}}]}"
      })
  void whatIsNoMessageIsRefusedWithItsPlace(String json) {
    assertThatThrownBy(() -> MessageJson.read(WireThread.json(json), "messages[3]"))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining("messages[3]");
  }
}
