package dev.superstep.server.internal.net;

import java.io.IOException;

/// A host that the server does not connect to, because it is not on the public internet.
public final class ForbiddenAddress extends IOException {
  private static final long serialVersionUID = 1;

  ForbiddenAddress(String host) {
    // Not the address: whoever named the host is not to find out what it is here.
    super(
        "The host `"
            + host
            + "` has an address that is not public; if it is meant, the operator has to allow it");
  }
}
