package dev.superstep.model.vendor;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A model that LangChain4j asks. Everything, streaming included, runs on the calling thread. Safe
/// for many threads.
final class VendorModel implements ChatModel {
  private final Endpoint at;
  private final Vendor vendor;

  VendorModel(Endpoint at, Vendor vendor) {
    this.at = at;
    this.vendor = vendor;
  }

  @Override
  public ModelRef ref() {
    return at.ref();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = new Exchange(at, vendor, request);
    Optional<ChatResponse> reply;
    try {
      var asked = Prompts.of(request, vendor);
      reply = Optional.of(vendor.whole(at, exchange).chat(asked));
    } catch (RuntimeException e) {
      exchange.fail(e);
      reply = Optional.empty();
    }
    return exchange.reply(reply, Optional.empty());
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = new Exchange(at, vendor, request);
    var pieces = new Pieces(exchange, listener);
    try {
      var asked = Prompts.of(request, vendor);
      vendor.streamed(at, exchange).chat(asked, pieces);
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
    return exchange.reply(Optional.ofNullable(pieces.reply), Optional.of(pieces.text.toString()));
  }

  @Override
  public String toString() {
    return "VendorModel[" + at.ref() + "]";
  }

  /// Hands pieces on. LangChain4j logs what a handler throws and goes on, so failures are kept.
  private static final class Pieces implements StreamingChatResponseHandler {
    private final Exchange exchange;
    private final DeltaListener listener;
    private final StringBuilder text = new StringBuilder();
    private @Nullable ChatResponse reply;

    Pieces(Exchange exchange, DeltaListener listener) {
      this.exchange = exchange;
      this.listener = listener;
    }

    @Override
    public void onPartialResponse(String piece) {
      if (piece.isEmpty() || exchange.isFailed()) return;
      text.append(piece);
      try {
        listener.onText(piece);
      } catch (RuntimeException e) {
        exchange.stop(e);
      }
    }

    @Override
    public void onCompleteResponse(ChatResponse whole) {
      reply = whole;
    }

    @Override
    public void onError(Throwable error) {
      exchange.fail(error);
    }
  }
}
