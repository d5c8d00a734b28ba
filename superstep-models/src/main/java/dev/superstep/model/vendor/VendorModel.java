package dev.superstep.model.vendor;

import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.ProtocolModel;

/// A model that answers over HTTP. Everything, streaming included, runs on the calling thread. Safe
/// for many threads.
final class VendorModel extends ProtocolModel {
  private final Envelope whole;
  private final Envelope streamed;

  VendorModel(Endpoint endpoint, Vendor vendor) {
    super(endpoint, vendor.protocol());
    this.whole = vendor.envelope(endpoint, false);
    this.streamed = vendor.envelope(endpoint, true);
  }

  @Override
  protected void send(Exchange exchange, boolean isStreamed) {
    (isStreamed ? streamed : whole).send(exchange);
  }
}
