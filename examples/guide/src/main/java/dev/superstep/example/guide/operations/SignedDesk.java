package dev.superstep.example.guide.operations;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.CardKeys;
import dev.superstep.a2a.server.A2aServer;
import dev.superstep.a2a.server.CardSigner;
import java.net.URI;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Map;

/// A desk whose card is signed, and a client that uses no other.
final class SignedDesk {
  private SignedDesk() {}

  static A2aServer protocol(URI address, PrivateKey key) {
    return A2aServer.protocol().publicAt(address).signedBy(CardSigner.of("desk-2026", key));
  }

  static A2aAgent client(URI address, PublicKey key) {
    return A2aAgent.at(address.resolve("/a2a/desk"))
        .verifiedBy(CardKeys.of(Map.of("desk-2026", key)));
  }
}
