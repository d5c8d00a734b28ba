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
  private final Endpoint at;
  private final Vendor vendor;
  private final Envelope whole;
  private final Envelope streamed;

  VendorModel(Endpoint at, Vendor vendor) {
    this.at = at;
    this.vendor = vendor;
    this.whole = vendor.envelope(at, false);
    this.streamed = vendor.envelope(at, true);
  }

  @Override
  public ModelRef ref() {
    return at.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(at.identity(vendor.protocol()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(at, vendor.protocol(), request);
    return exchange.with(() -> whole.send(exchange));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = Exchange.streamed(at, vendor.protocol(), request, listener);
    return exchange.with(() -> streamed.send(exchange));
  }

  @Override
  public String toString() {
    return "VendorModel[" + at.ref() + "]";
  }
}
