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
import org.jspecify.annotations.Nullable;

/// Hears a reply on the thread that asked, whatever threads LangChain4j tells it on. Used once.
final class Listening implements StreamingChatResponseHandler {
  /// More than any reply has; a model that tells more without being heard is stopped.
  private static final int HEARD_LATER_MAX = 1_000_000;

  private final ModelRef ref;
  private final Duration timeout;
  private final DeltaListener listener;
  private final BlockingQueue<Told> told = new LinkedBlockingQueue<>(HEARD_LATER_MAX);
  private volatile @Nullable StreamingHandle handle;
  private volatile boolean given;

  private sealed interface Told {
    record Piece(Runnable toListener) implements Told {}

    record End(ChatResponse response) implements Told {}

    record Failure(Throwable error) implements Told {}
  }

  Listening(ModelRef ref, Duration timeout, DeltaListener listener) {
    this.ref = ref;
    this.timeout = timeout;
    this.listener = listener;
  }

  /// Asks, and hears until the end.
  ChatResponse hear(Runnable ask) throws InterruptedException {
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
        var next = told.poll(left, NANOSECONDS);
        switch (next) {
          case null -> throw tooLate();
          case Told.Piece(var toListener) -> toListener.run();
          case Told.End(var response) -> {
            return response;
          }
          case Told.Failure(var error) -> throw Failures.ours(ref, error);
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

  private void tell(Told next) {
    if (!given && !told.offer(next)) {
      given = true;
      told.clear();
      told.add(new Told.Failure(new IllegalStateException("a reply without an end")));
    }
  }

  private void piece(StreamingHandle stream, Runnable toListener) {
    handle = stream;
    tell(new Told.Piece(toListener));
  }

  @Override
  public void onPartialResponse(String text) {
    if (!text.isEmpty()) tell(new Told.Piece(() -> listener.onText(text)));
  }

  @Override
  public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
    if (!piece.text().isEmpty()) {
      piece(context.streamingHandle(), () -> listener.onText(piece.text()));
    }
  }

  @Override
  public void onPartialThinking(PartialThinking piece) {
    if (!piece.text().isEmpty()) tell(new Told.Piece(() -> listener.onThinking(piece.text())));
  }

  @Override
  public void onPartialThinking(PartialThinking piece, PartialThinkingContext context) {
    if (!piece.text().isEmpty()) {
      piece(context.streamingHandle(), () -> listener.onThinking(piece.text()));
    }
  }

  @Override
  public void onPartialToolCall(PartialToolCall piece) {
    tell(new Told.Piece(() -> listener.onToolCall(ours(piece))));
  }

  @Override
  public void onPartialToolCall(PartialToolCall piece, PartialToolCallContext context) {
    piece(context.streamingHandle(), () -> listener.onToolCall(ours(piece)));
  }

  private static ToolCallPiece ours(PartialToolCall piece) {
    var id = piece.id();
    return new ToolCallPiece(
        piece.index(), id == null ? "" : id, piece.name(), piece.partialArguments());
  }

  @Override
  public void onCompleteResponse(ChatResponse response) {
    tell(new Told.End(response));
  }

  @Override
  public void onError(Throwable error) {
    tell(new Told.Failure(error));
  }
}
