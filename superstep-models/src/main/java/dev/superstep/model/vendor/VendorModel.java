package dev.superstep.model.vendor;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import java.util.Optional;

/// A model that is asked as LangChain4j asks it. Everything, streaming included, runs on the
/// calling thread. Safe for many threads.
final class VendorModel implements ChatModel {
  /// What LangChain4j is asked; what is sent takes its place.
  private static final dev.langchain4j.model.chat.request.ChatRequest ANYTHING =
      dev.langchain4j.model.chat.request.ChatRequest.builder()
          .messages(UserMessage.from("-"))
          .build();

  private final Endpoint at;
  private final Library library;
  private final Envelope.Source whole;
  private final Envelope.Source streamed;

  VendorModel(Endpoint at, Library library) {
    this.at = at;
    this.library = library;
    this.whole = new Envelope.Source(t -> library.whole(at, t).chat(ANYTHING));
    this.streamed = new Envelope.Source(t -> library.streamed(at, t).chat(ANYTHING, new Unused()));
  }

  @Override
  public ModelRef ref() {
    return at.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(at.identity(library.protocol()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(at, library.protocol(), request);
    return exchange.with(() -> whole.get().send(exchange));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = Exchange.streamed(at, library.protocol(), request, listener);
    return exchange.with(() -> streamed.get().send(exchange));
  }

  @Override
  public String toString() {
    return "VendorModel[" + at.ref() + "]";
  }

  /// LangChain4j wants somebody to tell, and never hears anything itself.
  private static final class Unused implements StreamingChatResponseHandler {
    @Override
    public void onCompleteResponse(ChatResponse whole) {}

    @Override
    public void onError(Throwable error) {}
  }
}
