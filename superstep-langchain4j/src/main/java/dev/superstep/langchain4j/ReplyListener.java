package dev.superstep.langchain4j;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Hears a reply on the thread that asked, whatever threads LangChain4j tells it on. Used once.
final class ReplyListener implements StreamingChatResponseHandler {
  /// More than any reply has; a model that tells more without being heard is stopped.
  private static final int HEARD_LATER_MAX = 1_000_000;

  /// The most characters of a reply, and the most calls; the limits of the other adapters.
  static final long KEPT_MAX = 16L * 1024 * 1024;

  static final int CALLS_MAX = 1_000;

  private final ModelRef ref;
  private final Duration timeout;
  private final DeltaListener listener;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>(HEARD_LATER_MAX);
  private volatile @Nullable StreamingHandle handle;
  private volatile boolean given;
  private final AtomicLong received = new AtomicLong();

  private sealed interface Signal {
    record Piece(Runnable toListener) implements Signal {}

    record End(ChatResponse response) implements Signal {}

    record Failure(Throwable error) implements Signal {}
  }

  ReplyListener(ModelRef ref, Duration timeout, DeltaListener listener) {
    this.ref = ref;
    this.timeout = timeout;
    this.listener = listener;
  }

  /// Asks, and hears until the end.
  ChatResponse await(Runnable ask) throws InterruptedException {
    long start = System.nanoTime();
    var caller =
        Thread.ofVirtual()
            .name("superstep-langchain4j-" + ref.model())
            .start(() -> {
              try {
                ask.run();
              } catch (RuntimeException | Error e) {
                onError(e);
              }
            });
    try {
      while (true) {
        long left = timeout.toNanos() - (System.nanoTime() - start);
        var next = signals.poll(left, NANOSECONDS);
        switch (next) {
          case null -> throw tooLate();
          case Signal.Piece(var toListener) -> toListener.run();
          case Signal.End(var response) -> {
            return response;
          }
          case Signal.Failure(var error) -> throw ErrorConversions.fromLangChain4j(ref, error);
        }
      }
    } finally {
      given = true;
      var stream = handle;
      if (stream != null) stream.cancel();
      caller.interrupt();
    }
  }

  private ModelException tooLate() {
    return new ModelException(
        ModelException.Kind.TIMEOUT,
        "LangChain4j gave no whole answer within %s s. Allow more time or ask for less (`%s`)."
            .formatted(timeout.toMillis() / 1000.0, ref));
  }

  private void enqueue(Signal next) {
    if (!given && !signals.offer(next))
      end(new Signal.Failure(tooLarge(HEARD_LATER_MAX + " pieces")));
  }

  private void piece(@Nullable StreamingHandle stream, int length, Runnable toListener) {
    if (stream != null) handle = stream;
    if (received.addAndGet(length) > KEPT_MAX) {
      end(new Signal.Failure(tooLarge(KEPT_MAX + " characters")));
    } else {
      enqueue(new Signal.Piece(toListener));
    }
  }

  private ModelException tooLarge(String most) {
    return new ModelException(
        ModelException.Kind.TOO_LARGE,
        "LangChain4j gave a reply of more than %s. Ask for less (`%s`).".formatted(most, ref));
  }

  /// Ends the call, whatever is still to be heard.
  private void end(Signal.Failure failure) {
    if (given) return;
    given = true;
    signals.clear();
    signals.add(failure);
  }

  @Override
  public void onPartialResponse(String text) {
    if (!text.isEmpty()) piece(null, text.length(), () -> listener.onText(text));
  }

  @Override
  public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
    if (!piece.text().isEmpty()) {
      var text = piece.text();
      piece(context.streamingHandle(), text.length(), () -> listener.onText(text));
    }
  }

  @Override
  public void onPartialThinking(PartialThinking piece) {
    var text = piece.text();
    if (!text.isEmpty()) piece(null, text.length(), () -> listener.onThinking(text));
  }

  @Override
  public void onPartialThinking(PartialThinking piece, PartialThinkingContext context) {
    if (!piece.text().isEmpty()) {
      var text = piece.text();
      piece(context.streamingHandle(), text.length(), () -> listener.onThinking(text));
    }
  }

  @Override
  public void onPartialToolCall(PartialToolCall piece) {
    call(null, piece);
  }

  @Override
  public void onPartialToolCall(PartialToolCall piece, PartialToolCallContext context) {
    call(context.streamingHandle(), piece);
  }

  private void call(@Nullable StreamingHandle stream, PartialToolCall piece) {
    if (piece.index() >= CALLS_MAX) {
      end(new Signal.Failure(tooLarge(CALLS_MAX + " tool calls")));
      return;
    }
    var ours = fromLangChain4j(piece);
    int length = ours.id().length() + ours.tool().length() + ours.arguments().length();
    piece(stream, length, () -> listener.onToolCall(ours));
  }

  private static ToolCallPiece fromLangChain4j(PartialToolCall piece) {
    var id = piece.id();
    return new ToolCallPiece(
        piece.index(), id == null ? "" : id, piece.name(), piece.partialArguments());
  }

  @Override
  public void onCompleteResponse(ChatResponse response) {
    var message = response.aiMessage();
    int calls = message.toolExecutionRequests().size();
    var text = message.text();
    if (calls > CALLS_MAX) {
      end(new Signal.Failure(tooLarge(CALLS_MAX + " tool calls")));
    } else if (text != null && text.length() > KEPT_MAX) {
      end(new Signal.Failure(tooLarge(KEPT_MAX + " characters")));
    } else {
      enqueue(new Signal.End(response));
    }
  }

  @Override
  public void onError(Throwable error) {
    enqueue(new Signal.Failure(error));
  }
}
