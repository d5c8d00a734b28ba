package dev.superstep.model.wire;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import java.util.Optional;

/// A model that is asked in a vendor's protocol. Subclasses send the requests, on the calling
/// thread. Safe for many threads.
public abstract class ProtocolModel implements ChatModel {
  protected final Endpoint endpoint;
  private final Protocol protocol;

  protected ProtocolModel(Endpoint endpoint, Protocol protocol) {
    this.endpoint = endpoint;
    this.protocol = protocol;
  }

  /// Sends the request of an exchange by [Exchange#send].
  protected abstract void send(Exchange exchange, boolean streamed);

  @Override
  public final ModelRef ref() {
    return endpoint.ref();
  }

  @Override
  public final Optional<ModelIdentity> identity() {
    return Optional.of(endpoint.identity(protocol));
  }

  @Override
  public final ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(endpoint, protocol, request);
    return exchange.with(() -> send(exchange, false));
  }

  @Override
  public final ChatReply stream(ChatRequest request, DeltaListener listener)
      throws InterruptedException {
    var exchange = Exchange.streamed(endpoint, protocol, request, listener);
    return exchange.with(() -> send(exchange, true));
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + endpoint.ref() + "]";
  }
}
