package dev.superstep.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.agent.Agent;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ModelsTest {
  private static final ChatRequest GO = ChatRequest.of(Message.user("Go"));
  private static final Content.Seal SEAL =
      new Content.Seal("anthropic", Json.parse("{\"signature\":\"s1\"}"));
  private static final ToolSpec SEARCH =
      new ToolSpec("search", "Finds.", Json.parse("{\"type\":\"object\",\"properties\":{}}"));

  record City(String name) {}

  record Verdict(String verdict, int score) {}

  /// A model of Spring AI's that answers by a function.
  private record Answering(Function<Prompt, Flux<ChatResponse>> answer, ChatOptions options)
      implements ChatModel {
    static Answering with(String text) {
      return new Answering(
          _ ->
              Flux.just(
                  new ChatResponse(
                      List.of(
                          new Generation(
                              new org.springframework.ai.chat.messages.AssistantMessage(text))))),
          ToolCallingChatOptions.builder().model("m").temperature(0.7).build());
    }

    @Override
    public ChatOptions getOptions() {
      return options;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
      return answer.apply(prompt).blockLast();
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      return answer.apply(prompt);
    }
  }

  @Test
  void messagesThatGoOverAndComeBackAreTheSame() throws InterruptedException {
    var reply =
        new AssistantMessage(
            "",
            List.of(
                new Content.Thinking("Hm.", Optional.of(SEAL)),
                new Content.Extension(SEAL),
                new Content.Text("I look.")),
            List.of(new ToolCall("c1", "search", "{}", Optional.of(SEAL))));
    var picture = new Content.Image("image/png", "iVBORw0KGgo0");
    var link = new Content.ImageLink(URI.create("https://example.org/cat.png"));
    var request =
        ChatRequest.of(
                Message.system("Be terse."),
                Message.user(new Content.Text("Look"), picture, link),
                reply,
                new ToolMessage("", "c1", "search", "nothing found", true))
            .withTools(List.of(SEARCH))
            .withFormat(
                new ResponseFormat.JsonSchema("verdict", Json.parse("{\"type\":\"object\"}")))
            .withTemperature(0.25)
            .withSeed(7)
            .withEffort(Effort.HIGH);
    var usage = new Usage(11, 3, 2, 7, 5, false);
    var inner =
        ScriptedModel.replying(ScriptedModel.reply(reply, usage, ChatReply.Finish.TOOL_CALLS));
    var got = FromSpringAi.model("both", ForSpringAi.model(inner)).call(request);
    assertThat(got.message()).isEqualTo(reply);
    assertThat(got.usage()).isEqualTo(usage);
    assertThat(got.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
    assertThat(got.model().url()).isEqualTo("spring-ai://both");
    var asked = inner.requests().getFirst();
    assertThat(asked.messages()).isEqualTo(request.messages());
    assertThat(asked.tools()).isEqualTo(request.tools());
    assertThat(asked.format()).isEqualTo(request.format());
    assertThat(asked.temperature()).contains(0.25);
    assertThat(asked.seed()).contains(7L);
    assertThat(asked.effort()).contains(Effort.HIGH);
  }

  @Test
  void aModelKeepsTheOptionsThatItWasConfiguredWith() throws InterruptedException {
    var asked = new ArrayList<Prompt>();
    var theirs = Answering.with("Hello.");
    var model =
        FromSpringAi.model(
            "theirs",
            new Answering(
                prompt -> {
                  asked.add(prompt);
                  return theirs.answer().apply(prompt);
                },
                theirs.options()));
    assertThat(model.call(GO.withMaxTokens(9).withTools(List.of(SEARCH))).message().text())
        .isEqualTo("Hello.");
    var options = (ToolCallingChatOptions) asked.getFirst().getOptions();
    assertThat(options.getModel()).isEqualTo("m");
    assertThat(options.getTemperature()).isEqualTo(0.7);
    assertThat(options.getMaxTokens()).isEqualTo(9);
    assertThat(options.getToolCallbacks())
        .extracting(tool -> tool.getToolDefinition().name())
        .containsExactly("search");
  }

  @Test
  void nothingInSpringAiCanRunTheToolsOfAnAgent() {
    var offered = new OfferedTool(SEARCH);
    assertThat(catchThrowableOfType(IllegalStateException.class, () -> offered.call("{}")))
        .hasMessageContaining("`search`")
        .hasMessageContaining("agent");
  }

  @Test
  void anAgentRunsItsToolsWithAModelOfSpringAis() throws InterruptedException {
    var ran = new AtomicInteger();
    var tool =
        Tool.of(
            "weather",
            "Tells the weather.",
            City.class,
            (city, _) -> {
              ran.incrementAndGet();
              return "Rain in " + city.name();
            });
    var call =
        new org.springframework.ai.chat.messages.AssistantMessage.ToolCall(
            "c1", "function", "weather", "{\"name\":\"Bergen\"}");
    var model =
        new Answering(
            prompt -> {
              var last = prompt.getInstructions().getLast();
              boolean isAnswered =
                  last instanceof org.springframework.ai.chat.messages.ToolResponseMessage;
              var said = org.springframework.ai.chat.messages.AssistantMessage.builder();
              if (isAnswered) said.content("Take an umbrella.");
              else said.content("").toolCalls(List.of(call));
              return Flux.just(new ChatResponse(List.of(new Generation(said.build()))));
            },
            ToolCallingChatOptions.builder().build());
    var agent = Agent.named("guide").model(FromSpringAi.model("theirs", model)).tools(tool).build();
    assertThat(agent.run("What of Bergen?").answer()).isEqualTo("Take an umbrella.");
    assertThat(ran).hasValue(1);
  }

  @Test
  void springAisClientRunsToolsAndReadsAnswersWithAModelOfOurs() {
    var call = new ToolCall("c1", "weather", "{\"name\":\"Bergen\"}");
    var asks =
        ScriptedModel.reply(
            new AssistantMessage("", "", List.of(call)), Usage.NONE, ChatReply.Finish.TOOL_CALLS);
    var says = ScriptedModel.reply(Message.assistant("Rain."), Usage.NONE, ChatReply.Finish.STOP);
    var ours = ScriptedModel.replying(asks, says);
    var tool = Tool.of("weather", "Tells.", City.class, (city, _) -> "Rain in " + city.name());
    var answer =
        ChatClient.create(ForSpringAi.model(ours))
            .prompt("What of Bergen?")
            .tools(ForSpringAi.callback(tool))
            .call()
            .content();
    assertThat(answer).isEqualTo("Rain.");
    assertThat(ours.requests().getLast().messages().getLast())
        .isInstanceOfSatisfying(
            ToolMessage.class, said -> assertThat(said.text()).contains("Rain in Bergen"));

    var typed = ScriptedModel.saying("{\"verdict\":\"ham\",\"score\":3}");
    var verdict =
        ChatClient.create(ForSpringAi.model(typed)).prompt("Is it?").call().entity(Verdict.class);
    assertThat(verdict).isEqualTo(new Verdict("ham", 3));
  }

  @Test
  void ourStreamIsReadAsFastAsItIsAskedFor() {
    var told = new AtomicLong();
    var model =
        new dev.superstep.model.ChatModel() {
          @Override
          public dev.superstep.model.ModelRef ref() {
            return dev.superstep.model.ModelRef.parse("scripted://many");
          }

          @Override
          public ChatReply call(ChatRequest request) {
            var whole = Message.assistant("x".repeat(100));
            return ScriptedModel.reply(whole, new Usage(1, 0, 2, 0), ChatReply.Finish.STOP);
          }

          @Override
          public ChatReply stream(ChatRequest request, DeltaListener listener) {
            for (int i = 0; i < 100; i++) {
              told.incrementAndGet();
              listener.onText("x");
            }
            return call(request);
          }
        };
    StepVerifier.create(ForSpringAi.model(model).stream(new Prompt("Go")), 3)
        .expectNextCount(3)
        .then(() -> assertThat(told.get()).isLessThanOrEqualTo(4))
        .thenRequest(97)
        .expectNextCount(97)
        .thenRequest(1)
        .assertNext(end -> assertThat(end.getMetadata().getUsage().getTotalTokens()).isEqualTo(3))
        .verifyComplete();
  }

  @Test
  void aReaderWhoLeavesEndsOurStream() throws InterruptedException {
    var slow = new SilentModel();
    StepVerifier.create(ForSpringAi.model(slow).stream(new Prompt("Go"))).thenCancel().verify();
    assertThat(slow.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /// A model that waits until it is interrupted.
  private static final class SilentModel implements dev.superstep.model.ChatModel {
    private final java.util.concurrent.CountDownLatch interrupted =
        new java.util.concurrent.CountDownLatch(1);

    @Override
    public dev.superstep.model.ModelRef ref() {
      return dev.superstep.model.ModelRef.parse("scripted://silent");
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      try {
        new java.util.concurrent.CountDownLatch(1).await();
        throw new IllegalStateException("nobody counts down");
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    }
  }

  @Test
  void aModelThatNeverAnswersIsATimeout() {
    var model = FromSpringAi.model("silent", ForSpringAi.model(new SilentModel()));
    var limited = GO.withTimeout(Duration.ofMillis(100));
    for (var asked :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> model.call(limited), () -> model.stream(limited, _ -> {}))) {
      assertThat(catchThrowableOfType(ModelException.class, asked).kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @Test
  void textWithoutEndEndsTheCall() {
    var piece =
        new ChatResponse(
            List.of(
                new Generation(
                    new org.springframework.ai.chat.messages.AssistantMessage(
                        "x".repeat(100_000)))));
    var endless = new Answering(_ -> Flux.just(piece).repeat(), ChatOptions.builder().build());
    var heard = new AtomicLong();
    var error =
        catchThrowableOfType(
            ModelException.class,
            () ->
                FromSpringAi.model("endless", endless).stream(
                    GO, text -> heard.addAndGet(text.length())));
    assertThat(error.kind()).isEqualTo(Kind.TOO_LARGE);
    assertThat(heard.get()).isLessThanOrEqualTo(ReplySubscriber.KEPT_MAX);
  }

  @Test
  void whatSpringAiKeepsWithAMessageIsPassedBack() throws InterruptedException {
    var asked = new ArrayList<Prompt>();
    var said =
        org.springframework.ai.chat.messages.AssistantMessage.builder()
            .content("Hello.")
            .properties(Map.of("reasoningContent", "Hm.", "signatures", List.of("s1"), "role", "a"))
            .build();
    var model =
        FromSpringAi.model(
            "theirs",
            new Answering(
                prompt -> {
                  asked.add(prompt);
                  return Flux.just(new ChatResponse(List.of(new Generation(said))));
                },
                ChatOptions.builder().build()));
    var reply = model.call(GO);
    assertThat(reply.message().thinking()).isEqualTo("Hm.");
    model.call(ChatRequest.of(Message.user("Go"), reply.message(), Message.user("On")));
    assertThat(asked.getLast().getInstructions().get(1).getMetadata())
        .containsEntry("signatures", List.of("s1"))
        .containsEntry("reasoningContent", "Hm.");
  }

  @Test
  void aSchemaThatTheOptionsCannotHoldIsWrittenIntoThePrompt() throws InterruptedException {
    var asked = new ArrayList<Prompt>();
    var theirs = Answering.with("{}");
    var model =
        FromSpringAi.model(
            "theirs",
            new Answering(
                prompt -> {
                  asked.add(prompt);
                  return theirs.answer().apply(prompt);
                },
                ChatOptions.builder().build()));
    model.call(
        GO.withFormat(new ResponseFormat.JsonSchema("v", Json.parse("{\"title\":\"TheSchema\"}"))));
    assertThat(asked.getFirst().getContents()).contains("TheSchema");
  }
}
