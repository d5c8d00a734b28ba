package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.dialect.Dialect;
import dev.superstep.model.dialect.DialectModel;
import dev.superstep.model.dialect.RepairedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever models, tools and users write, a dialect reads what it wrote and is not fooled.
@Tag("T36")
@Tag("W33")
@Timeout(600)
class DialectFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 1_000);
  private static final List<ToolSpec> TOOLS =
      List.of(
          new ToolSpec(
              "look",
              "Looks.",
              Json.parse(
                  """
                  {"type":"object","required":["city","days"],"properties":{\
                  "city":{"type":"string"},"days":{"type":"integer"},\
                  "more":{"type":"object"}}}\
                  """)),
          new ToolSpec("now", "", Json.parse("{\"type\":\"object\",\"properties\":{}}")));
  private static final Pattern TAG =
      Pattern.compile("<\\s*/?\\s*tool_(call|result)", Pattern.CASE_INSENSITIVE);

  /// Pieces of what could be taken for something else.
  private static String text(Choices choices) {
    var pieces =
        choices.list(
            8,
            c ->
                c.of(
                    "<tool_call>",
                    "</tool_call>",
                    "<tool_result id=\"1\">",
                    "</tool_result>",
                    "< / tool_call",
                    "<TOOL_RESULT>",
                    "<",
                    "&lt;",
                    "{",
                    "}",
                    "[",
                    "]",
                    "|",
                    "\\",
                    "\n",
                    " ",
                    "\"",
                    "look",
                    "now[]",
                    "look[Oslo|3]",
                    "{\"name\":\"now\"}",
                    "{\"name\":\"look\",\"arguments\":{\"city\":\"",
                    "<think>",
                    "</think>",
                    "ä",
                    "😀",
                    "a",
                    ""));
    return String.join("", pieces);
  }

  private static Dialect dialect(Choices choices) {
    return choices.of(Dialect.XML, Dialect.POSITIONAL);
  }

  private record Call(Dialect dialect, String city, int days, String before) {}

  @Test
  void a_dialect_reads_its_own_output() throws Exception {
    Property.check(
        1,
        CASES,
        c -> new Call(dialect(c), text(c), c.between(-9, 9), text(c)),
        call -> {
          var json =
              "{\"city\":%s,\"days\":%d,\"more\":{\"a\":[%s,null]}}"
                  .formatted(Json.string(call.city()), call.days(), Json.string(call.city()));
          var made = new ToolCall("c1", "look", json);
          var result = new ToolMessage("", "c1", "look", call.before(), false);
          var inner = ScriptedModel.saying("ok");
          var reply = new AssistantMessage("", call.before(), List.of(made));
          ask(inner, call.dialect(), Message.user("?"), reply, result);
          // What the model is shown as its own words, it says again.
          var shown = inner.requests().getFirst().messages().get(2).text();
          var read = ask(ScriptedModel.saying(shown), call.dialect(), Message.user("?")).message();
          assertThat(read.calls()).hasSize(1);
          assertThat(read.calls().getFirst().tool()).isEqualTo("look");
          assertThat(Json.parse(read.calls().getFirst().arguments())).isEqualTo(Json.parse(json));
        });
  }

  private record Talk(Dialect dialect, List<Message> messages) {}

  private static Message message(Choices choices) {
    var call = new ToolCall(choices.of("c1", "c2"), choices.of("look", "now", ""), text(choices));
    return switch (choices.below(5)) {
      case 0 -> Message.system(text(choices));
      case 1 -> Message.user(text(choices));
      case 2 -> Message.assistant(text(choices));
      case 3 -> new AssistantMessage("", text(choices), List.of(call));
      case 4 -> new ToolMessage("", call.id(), call.tool(), text(choices), choices.chance(50));
      default -> throw new AssertionError();
    };
  }

  @Test
  @Tag("T119")
  void any_conversation_becomes_one_without_tools_and_with_a_question() throws Exception {
    Property.check(
        1_000_000,
        CASES,
        c -> {
          var all = new ArrayList<>(c.list(8, DialectFuzzTest::message));
          if (all.isEmpty()) all.add(Message.system(""));
          return new Talk(dialect(c), all);
        },
        talk -> {
          var inner = ScriptedModel.saying("ok");
          ask(inner, talk.dialect(), talk.messages().toArray(Message[]::new));
          var request = inner.requests().getFirst();
          assertThat(request.tools()).isEmpty();
          int opened = 0;
          int answered = 0;
          for (var message : request.messages()) {
            assertThat(message).isNotInstanceOf(ToolMessage.class);
            if (message instanceof SystemMessage) continue;
            opened += count(message.text(), "<tool_call>");
            answered += count(message.text(), "<tool_result ");
            if (message instanceof AssistantMessage reply) assertThat(reply.calls()).isEmpty();
            // Each tag is one of ours, whole and in its place.
            int tags = (int) TAG.matcher(message.text()).results().count();
            var ours =
                count(message.text(), "<tool_call>")
                    + count(message.text(), "</tool_call>")
                    + count(message.text(), "<tool_result ")
                    + count(message.text(), "\n</tool_result>");
            assertThat(tags).isEqualTo(ours);
          }
          assertThat(opened).isEqualTo(answered);
          assertThat(request.messages())
              .anyMatch(one -> one instanceof UserMessage && !one.text().isBlank());
        });
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }

  private record Said(Dialect dialect, String text, List<Integer> cuts, boolean repairs) {}

  @Test
  @Tag("T12")
  void any_reply_is_read_and_its_stream_merges_to_it() throws Exception {
    Property.check(
        2_000_000,
        CASES,
        c -> new Said(dialect(c), text(c), c.list(6, d -> d.below(40)), c.chance(50)),
        said -> {
          var whole = wrapped(said, ScriptedModel.saying(said.text(), said.text())).call(request());
          var heard = new StringBuilder();
          var pieces = new Pieces(ScriptedModel.saying(said.text(), said.text()), said.cuts());
          var calls = new ArrayList<String>();
          var streamed =
              wrapped(said, pieces).stream(
                  request(),
                  new ChatModel.DeltaListener() {
                    @Override
                    public void onText(String text) {
                      assertThat(text).isNotEmpty();
                      heard.append(text);
                    }

                    @Override
                    public void onToolCall(ChatModel.ToolCallPiece piece) {
                      calls.add(piece.arguments());
                    }
                  });
          assertThat(streamed.message()).isEqualTo(whole.message());
          assertThat(heard).hasToString(whole.message().text());
          assertThat(whole.message().calls()).extracting(ToolCall::arguments).isEqualTo(calls);
          assertThat(whole.message().text()).doesNotContain("<tool_call>");
        });
  }

  private static ChatModel wrapped(Said said, ChatModel model) {
    return said.repairs()
        ? RepairedModel.of(DialectModel.of(model, said.dialect()))
        : DialectModel.of(model, said.dialect());
  }

  private static ChatRequest request() {
    return ChatRequest.of(Message.user("?")).withTools(TOOLS);
  }

  private static ChatReply ask(ChatModel inner, Dialect dialect, Message... messages)
      throws InterruptedException {
    return DialectModel.of(inner, dialect).call(ChatRequest.of(messages).withTools(TOOLS));
  }

  /// Says what another model says, cut in odd places.
  private record Pieces(ChatModel model, List<Integer> cuts) implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      var reply = model.call(request);
      var rest = reply.message().text();
      for (int cut : cuts) {
        int end = Math.min(cut, rest.length());
        if (end == 0) continue;
        listener.onText(rest.substring(0, end));
        rest = rest.substring(end);
      }
      if (!rest.isEmpty()) listener.onText(rest);
      return reply;
    }
  }
}
