package dev.superstep.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ModelsTest {
  private static final Content.Seal SEAL =
      new Content.Seal("anthropic", Json.parse("{\"signature\":\"s1\"}"));
  private static final ToolSpec SEARCH =
      new ToolSpec(
          "search",
          "Finds tickets.",
          Json.parse(
              """
              {"type":"object","properties":{"query":{"type":"string","minLength":2}},\
              "required":["query"]}\
              """));
  private static final ChatRequest GO = ChatRequest.of(Message.user("Go"));

  @Test
  void a_request_and_its_reply_come_through_langchain4j_and_back() throws InterruptedException {
    var reply = full();
    var inner = ScriptedModel.replying(reply, reply);
    for (var bridged : List.of(thereAndBack(inner), streamingThereAndBack(inner))) {
      var got = bridged.call(fullRequest());
      assertThat(got.message()).isEqualTo(reply.message());
      assertThat(got.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
      assertThat(got.usage()).isEqualTo(new Usage(11, 0, 7, 0));
      assertThat(got.model().url()).isEqualTo("langchain4j://there-and-back");
      assertThat(got.source()).isEqualTo(ChatReply.Source.LIVE);
    }
    for (var asked : inner.requests()) {
      assertThat(asked.messages()).isEqualTo(fullRequest().messages());
      assertThat(asked.tools()).hasSize(1);
      assertThat(asked.tools().getFirst().parameters().text()).contains("minLength");
      assertThat(asked.toolChoice()).isEqualTo(new ToolChoice.Required());
      assertThat(asked.temperature()).contains(0.25);
      assertThat(asked.topP()).contains(0.5);
      assertThat(asked.maxTokens()).contains(99);
      assertThat(asked.stop()).containsExactly("HALT");
      assertThat(asked.format()).isEqualTo(fullRequest().format());
    }
  }

  private static ChatReply full() {
    var message =
        new AssistantMessage(
            "",
            List.of(
                new Content.Thinking("Hm.", Optional.of(SEAL)),
                new Content.Extension(SEAL),
                new Content.Text("I look.")),
            List.of(new ToolCall("c1", "search", "{\"query\":\"x\"}", Optional.of(SEAL))));
    return ScriptedModel.reply(message, new Usage(11, 0, 7, 0), ChatReply.Finish.TOOL_CALLS);
  }

  private static ChatRequest fullRequest() {
    var picture = new Content.Image("image/png", "iVBORw0KGgo0");
    var link = new Content.ImageLink(URI.create("https://example.org/cat.png"));
    return ChatRequest.of(
            Message.system("Be terse."),
            Message.user(new Content.Text("Look"), picture, link),
            full().message(),
            new ToolMessage("", "c1", "search", "nothing found", true))
        .withTools(List.of(SEARCH))
        .withToolChoice(new ToolChoice.Required())
        .withFormat(new ResponseFormat.JsonSchema("verdict", Json.parse("{\"type\":\"object\"}")))
        .withTemperature(0.25)
        .withTopP(0.5)
        .withMaxTokens(99)
        .withStop("HALT");
  }

  @Test
  void a_stream_delivers_pieces_on_the_calling_thread() throws InterruptedException {
    var bridged = streamingThereAndBack(new Talking());
    var heard = new ArrayList<String>();
    var here = Thread.currentThread();
    var reply =
        bridged.stream(
            GO,
            new DeltaListener() {
              @Override
              public void onText(String text) {
                assertThat(Thread.currentThread()).isSameAs(here);
                heard.add(text);
              }

              @Override
              public void onThinking(String text) {
                heard.add("think:" + text);
              }

              @Override
              public void onToolCall(ChatModel.ToolCallPiece piece) {
                heard.add(piece.index() + piece.tool() + piece.arguments());
              }
            });
    assertThat(heard).containsExactly("think:Hm.", "One", " two", "0ping{\"a\":", "0ping1}");
    assertThat(reply.message().text()).isEqualTo("One two");
  }

  /// A model that streams what it says.
  private static final class Talking implements ChatModel {
    @Override
    public dev.superstep.model.ModelRef ref() {
      return dev.superstep.model.ModelRef.parse("scripted://talking");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      var call = new ToolCall("c1", "ping", "{\"a\":1}");
      var content =
          List.<Content>of(
              new Content.Thinking("Hm.", Optional.empty()), new Content.Text("One two"));
      var message = new AssistantMessage("", content, List.of(call));
      return ScriptedModel.reply(message, Usage.NONE, ChatReply.Finish.TOOL_CALLS);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener) {
      listener.onThinking("Hm.");
      listener.onText("One");
      listener.onText(" two");
      listener.onToolCall(new ToolCallPiece(0, "c1", "ping", ""));
      listener.onToolCall(new ToolCallPiece(0, "", "", "{\"a\":"));
      listener.onToolCall(new ToolCallPiece(0, "", "", "1}"));
      return call(request);
    }
  }

  @Test
  void attributes_of_langchain4j_messages_are_passed_back() throws InterruptedException {
    var said =
        AiMessage.builder()
            .text("Hello.")
            .thinking("Hm.")
            .attributes(Map.of("thinking_signature", "s1", "n", 2))
            .build();
    var asked = new ArrayList<dev.langchain4j.model.chat.request.ChatRequest>();
    var model =
        FromLangChain4j.model(
            "other",
            new dev.langchain4j.model.chat.ChatModel() {
              @Override
              public ChatResponse doChat(dev.langchain4j.model.chat.request.ChatRequest request) {
                asked.add(request);
                return ChatResponse.builder().aiMessage(said).id("r1").modelName("m").build();
              }
            });
    var reply = model.call(GO);
    assertThat(reply.message().text()).isEqualTo("Hello.");
    assertThat(reply.message().thinking()).isEqualTo("Hm.");
    assertThat(reply.receipt()).isEqualTo(new ChatReply.Receipt("r1", "m"));
    assertThat(reply.usage()).isEqualTo(Usage.NONE);
    model.call(ChatRequest.of(Message.user("Go"), reply.message(), Message.user("On")));
    assertThat(asked.getLast().messages().get(1)).isEqualTo(said);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {
        "AUTH",
        "RATE_LIMITED",
        "TIMEOUT",
        "REFUSED",
        "OVERLOADED",
        "BAD_REQUEST",
        "UNAVAILABLE"
      })
  void errors_keep_their_kind_both_ways(Kind kind) {
    var failing =
        ScriptedModel.by(_ -> {
          throw new ModelException(kind, "It failed.");
        });
    for (var bridged : List.of(thereAndBack(failing), streamingThereAndBack(failing))) {
      var failure = catchThrowableOfType(ModelException.class, () -> bridged.call(GO));
      assertThat(failure.kind()).isEqualTo(kind);
      assertThat(failure).hasMessageContaining("It failed.");
    }
  }

  @Test
  void langchain4j_sees_its_own_kind_of_error() {
    var failing =
        ScriptedModel.by(_ -> {
          throw new ModelException(Kind.RATE_LIMITED, "Slow down.");
        });
    assertThatThrownBy(() -> ForLangChain4j.model(failing).chat("Go"))
        .isInstanceOf(RateLimitException.class)
        .hasMessageContaining("Slow down.");
  }

  @Test
  void a_model_that_never_answers_is_a_timeout_and_can_be_interrupted()
      throws InterruptedException {
    var asked = new CountDownLatch(1);
    StreamingChatModel silent =
        new StreamingChatModel() {
          @Override
          public void doChat(
              dev.langchain4j.model.chat.request.ChatRequest request,
              StreamingChatResponseHandler handler) {
            asked.countDown();
          }
        };
    var model = FromLangChain4j.model("silent", silent);
    var late =
        catchThrowableOfType(
            ModelException.class, () -> model.call(GO.withTimeout(Duration.ofMillis(100))));
    assertThat(late.kind()).isEqualTo(Kind.TIMEOUT);
    var outcome = new AtomicReference<Throwable>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                model.call(GO);
              } catch (InterruptedException | RuntimeException e) {
                outcome.set(e);
              }
            });
    caller.interrupt();
    assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void a_listener_that_throws_ends_the_stream() {
    var stop = new IllegalStateException("seen enough");
    StreamingChatModel talking =
        new StreamingChatModel() {
          @Override
          public void doChat(
              dev.langchain4j.model.chat.request.ChatRequest request,
              StreamingChatResponseHandler handler) {
            handler.onPartialThinking(new PartialThinking("Hm."));
            handler.onPartialResponse("One");
          }
        };
    var model = FromLangChain4j.model("talking", talking);
    assertThatThrownBy(() ->
            model.stream(
                GO,
                _ -> {
                  throw stop;
                }))
        .isSameAs(stop);
  }

  @Test
  void options_that_langchain4j_cannot_express_are_refused() {
    var model = thereAndBack(ScriptedModel.saying("a"));
    var request = GO.withVendorOptions(Json.parse("{\"a\":1}"));
    assertThat(catchThrowableOfType(ModelException.class, () -> model.call(request)).kind())
        .isEqualTo(Kind.BAD_REQUEST);
  }

  private static ChatModel thereAndBack(ChatModel model) {
    return FromLangChain4j.model("there-and-back", ForLangChain4j.model(model));
  }

  private static ChatModel streamingThereAndBack(ChatModel model) {
    return FromLangChain4j.model("there-and-back", ForLangChain4j.streamingModel(model));
  }
}
