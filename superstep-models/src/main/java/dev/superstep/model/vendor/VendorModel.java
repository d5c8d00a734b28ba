package dev.superstep.model.vendor;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import java.util.Optional;

/// A model that answers over HTTP. Everything, streaming included, runs on the calling thread. Safe
/// for many threads.
final class VendorModel implements ChatModel {
  private final Endpoint endpoint;
  private final Vendor vendor;
  private final Envelope whole;
  private final Envelope streamed;

  VendorModel(Endpoint endpoint, Vendor vendor) {
    this.endpoint = endpoint;
    this.vendor = vendor;
    this.whole = vendor.envelope(endpoint, false);
    this.streamed = vendor.envelope(endpoint, true);
  }

  @Override
  public ModelRef ref() {
    return endpoint.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(endpoint.identity(vendor.protocol()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(endpoint, vendor.protocol(), request);
    return exchange.with(() -> whole.send(exchange));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = Exchange.streamed(endpoint, vendor.protocol(), request, listener);
    return exchange.with(() -> streamed.send(exchange));
  }

  @Override
  public String toString() {
    return "VendorModel[" + endpoint.ref() + "]";
  }
}
