package dev.superstep.spring.ai;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ChatReply.Receipt;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import reactor.core.CoreSubscriber;

/// Hears a stream of Spring AI's on the thread that asked, whatever threads it is told on. Asks for
/// as many pieces as it has room for. Used once.
final class ReplySubscriber implements CoreSubscriber<ChatResponse> {
  /// The most pieces that are told and not yet heard.
  private static final int WINDOW = 256;

  /// The most characters of a reply, and the most calls; the limits of the other adapters.
  static final long KEPT_MAX = 16L * 1024 * 1024;

  static final int CALLS_MAX = 1_000;

  private final ModelRef ref;
  private final Duration timeout;
  private final DeltaListener listener;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>(WINDOW * 2);
  private volatile @Nullable Subscription subscription;
  private volatile boolean ended;

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder thought = new StringBuilder();
  private final List<AssistantMessage.ToolCall> calls = new ArrayList<>();
  private final Map<String, Object> metadata = new HashMap<>();
  private long received;
  private int heard;
  private Receipt receipt = Receipt.NONE;
  private @Nullable ChatResponse last;
  private @Nullable ChatResponse counted;
  private @Nullable String finish;

  private sealed interface Signal {
    record Piece(ChatResponse response) implements Signal {}

    record End() implements Signal {}

    record Failure(Throwable error) implements Signal {}
  }

  /// A whole reply.
  ///
  /// @param text all of it
  /// @param message has the calls and the metadata
  /// @param receipt the last ids that any response had
  /// @param counted the last response that counts tokens, or the last of all; null without any
  record Heard(
      String text,
      AssistantMessage message,
      Receipt receipt,
      @Nullable ChatResponse counted,
      String finish) {}

  ReplySubscriber(ModelRef ref, Duration timeout, DeltaListener listener) {
    this.ref = ref;
    this.timeout = timeout;
    this.listener = listener;
  }

  /// Subscribes, and hears until the end.
  Heard await(Publisher<ChatResponse> stream) throws InterruptedException {
    long start = System.nanoTime();
    // A stream may work on the thread that subscribes.
    var asking =
        Thread.ofVirtual()
            .name("superstep-spring-ai-" + ref.model())
            .start(() -> {
              try {
                stream.subscribe(this);
              } catch (RuntimeException | Error e) {
                onError(e);
              }
            });
    try {
      while (true) {
        long left = timeout.toNanos() - (System.nanoTime() - start);
        var next = signals.poll(left, NANOSECONDS);
        switch (next) {
          case null -> throw tooLate(ref, timeout);
          case Signal.Piece(var response) -> hear(response);
          case Signal.End() -> {
            return heard();
          }
          case Signal.Failure(var error) -> throw ErrorConversions.fromSpring(ref, error);
        }
      }
    } finally {
      ended = true;
      var open = subscription;
      if (open != null) open.cancel();
      asking.interrupt();
    }
  }

  static ModelException tooLate(ModelRef ref, Duration timeout) {
    return new ModelException(
        ModelException.Kind.TIMEOUT,
        "Spring AI gave no whole answer within %s s. Allow more time or ask for less (`%s`)."
            .formatted(timeout.toMillis() / 1000.0, ref));
  }

  private void hear(ChatResponse response) {
    last = response;
    var ids = response.getMetadata();
    receipt =
        new Receipt(either(ids.getId(), receipt.id()), either(ids.getModel(), receipt.model()));
    var usage = response.getMetadata().getUsage();
    if (usage != null && usage.getTotalTokens() != null && usage.getTotalTokens() > 0) {
      counted = response;
    }
    for (var generation : response.getResults()) hear(generation);
    var open = subscription;
    if (++heard == WINDOW / 2) {
      heard = 0;
      if (open != null) open.request(WINDOW / 2);
    }
  }

  private void hear(Generation generation) {
    var message = generation.getOutput();
    var piece = message.getText() == null ? "" : message.getText();
    received += piece.length();
    for (var call : message.getToolCalls()) received += length(call);
    if (received > KEPT_MAX) throw tooLarge(ref, KEPT_MAX + " characters");
    if (calls.size() + message.getToolCalls().size() > CALLS_MAX) {
      throw tooLarge(ref, CALLS_MAX + " tool calls");
    }
    think(message.getMetadata());
    metadata.putAll(message.getMetadata());
    if (!piece.isEmpty()) {
      text.append(piece);
      listener.onText(piece);
    }
    for (var call : message.getToolCalls()) {
      var id = call.id() == null ? "" : call.id();
      var arguments = call.arguments() == null ? "" : call.arguments();
      listener.onToolCall(new ToolCallPiece(calls.size(), id, call.name(), arguments));
      calls.add(call);
    }
    var reason = generation.getMetadata().getFinishReason();
    if (reason != null && !reason.isBlank()) finish = reason;
  }

  private void think(Map<String, Object> said) {
    if (said.get(Conversations.REASONING) instanceof String soFar) {
      if (soFar.length() > thought.length()) think(soFar.substring(thought.length()));
    } else if (said.get(Conversations.THINKING) instanceof String piece && !piece.isEmpty()) {
      think(piece);
    }
  }

  private void think(String piece) {
    thought.append(piece);
    if (thought.length() > KEPT_MAX) throw tooLarge(ref, KEPT_MAX + " characters");
    listener.onThinking(piece);
  }

  static String either(@Nullable String told, String otherwise) {
    return told == null || told.isBlank() ? otherwise : told;
  }

  private static int length(AssistantMessage.ToolCall call) {
    return call.name().length() + (call.arguments() == null ? 0 : call.arguments().length());
  }

  private Heard heard() {
    metadata.remove(Conversations.THINKING);
    if (!thought.isEmpty()) metadata.put(Conversations.REASONING, thought.toString());
    var message =
        AssistantMessage.builder().content("").properties(metadata).toolCalls(calls).build();
    var end = finish == null ? "" : finish;
    return new Heard(text.toString(), message, receipt, counted == null ? last : counted, end);
  }

  static ModelException tooLarge(ModelRef ref, String most) {
    return new ModelException(
        ModelException.Kind.TOO_LARGE,
        "Spring AI gave a reply of more than %s. Ask for less (`%s`).".formatted(most, ref));
  }

  @Override
  public void onSubscribe(Subscription opened) {
    subscription = opened;
    if (ended) {
      opened.cancel();
    } else {
      opened.request(WINDOW);
    }
  }

  @Override
  public void onNext(ChatResponse response) {
    // A stream that tells more than it was asked for breaks its contract.
    if (!signals.offer(new Signal.Piece(response))) {
      onError(tooLarge(ref, WINDOW + " unheard pieces"));
    }
  }

  @Override
  public void onError(Throwable error) {
    if (ended) return;
    if (!signals.offer(new Signal.Failure(error))) {
      signals.clear();
      signals.add(new Signal.Failure(error));
    }
  }

  @Override
  public void onComplete() {
    if (!ended && !signals.offer(new Signal.End())) onError(new IllegalStateException("overrun"));
  }
}
