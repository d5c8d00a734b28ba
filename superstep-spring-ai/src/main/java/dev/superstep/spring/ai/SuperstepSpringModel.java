package dev.superstep.spring.ai;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/// A model of ours for Spring AI. It only asks the model: who runs the tools is up to Spring AI.
///
/// @param model safe for many threads
record SuperstepSpringModel(ChatModel model)
    implements org.springframework.ai.chat.model.ChatModel {
  @Override
  public SuperstepChatOptions getOptions() {
    return SuperstepChatOptions.builder().model(model.ref().model()).build();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    try {
      var reply = model.call(Prompts.fromSpring(prompt));
      return response(Conversations.toSpring(reply.message()), reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a model was asked.", e);
    }
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return Flux.create(
        sink -> {
          var pieces = new Pieces(sink);
          sink.onRequest(pieces::allow);
          var asking =
              Thread.ofVirtual()
                  .name("superstep-for-spring-ai")
                  .unstarted(() -> stream(prompt, sink, pieces));
          sink.onDispose(asking::interrupt);
          asking.start();
        },
        FluxSink.OverflowStrategy.BUFFER);
  }

  private void stream(Prompt prompt, FluxSink<ChatResponse> sink, Pieces pieces) {
    try {
      var reply = model.stream(Prompts.fromSpring(prompt), pieces);
      pieces.next(response(Conversations.ending(reply.message()), reply));
      sink.complete();
    } catch (InterruptedException e) {
      sink.error(new IllegalStateException("Interrupted while a model was asked.", e));
    } catch (RuntimeException | Error e) {
      if (!sink.isCancelled()) sink.error(e);
    }
  }

  /// Hands on what a model says as fast as it is asked for.
  private static final class Pieces implements DeltaListener {
    private final FluxSink<ChatResponse> sink;
    private final Semaphore asked = new Semaphore(0);
    private final StringBuilder thought = new StringBuilder();
    private volatile boolean endless;

    Pieces(FluxSink<ChatResponse> sink) {
      this.sink = sink;
    }

    void allow(long more) {
      if (more >= Integer.MAX_VALUE - asked.availablePermits()) {
        endless = true;
        // Wakes one that waits.
        asked.release();
      } else {
        asked.release((int) more);
      }
    }

    void next(ChatResponse response) throws InterruptedException {
      if (!endless) asked.acquire();
      sink.next(response);
    }

    private void say(AssistantMessage message) {
      try {
        next(new ChatResponse(List.of(new Generation(message))));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Nobody listens to the reply any more.", e);
      }
    }

    @Override
    public void onText(String text) {
      say(new AssistantMessage(text));
    }

    // Spring AI has the thoughts so far as metadata of each piece.
    @Override
    public void onThinking(String text) {
      thought.append(text);
      say(
          AssistantMessage.builder()
              .content("")
              .properties(java.util.Map.of(Conversations.REASONING, thought.toString()))
              .build());
    }
  }

  private static ChatResponse response(AssistantMessage message, ChatReply reply) {
    var ended =
        ChatGenerationMetadata.builder()
            .finishReason(
                switch (reply.finish()) {
                  case STOP -> "STOP";
                  case TOOL_CALLS -> "TOOL_CALLS";
                  case LENGTH -> "LENGTH";
                  case FILTERED -> "CONTENT_FILTER";
                  case PAUSED -> "PAUSED";
                })
            .build();
    var used = reply.usage();
    var usage =
        new DefaultUsage(
            tokens(used.input()),
            tokens(used.output()),
            tokens(used.total()),
            used,
            used.cachedInput(),
            used.cacheWrite());
    var receipt = reply.receipt();
    var metadata =
        ChatResponseMetadata.builder()
            .id(receipt.id())
            .model(receipt.model().isEmpty() ? reply.model().url() : receipt.model())
            .usage(usage)
            .build();
    return new ChatResponse(List.of(new Generation(message, ended)), metadata);
  }

  private static int tokens(long count) {
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return "SuperstepSpringModel[" + model.ref() + "]";
  }
}
