package dev.superstep.model.vendor;

import dev.superstep.model.wire.Exchange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What a library makes around a request: where it goes, how it shows its key, how it asks for a
/// stream. A library is always asked the same, so it makes the same for every call. Immutable.
final class Envelope {
  private final String url;
  private final Map<String, List<String>> headers;
  private final ObjectNode body;

  Envelope(String url, Map<String, List<String>> headers, ObjectNode body) {
    this.url = url;
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  /// Sends a request in it, and hears all of the reply.
  ///
  /// @return always nothing, as [Exchange#send]
  Exchange.Over send(Exchange exchange) {
    var whole = JsonMapper.shared().createObjectNode();
    whole.setAll(body);
    whole.setAll(exchange.body());
    return exchange.send(url, headers, whole.toString());
  }

  /// Asks a library when the first request is sent, and never again if it answers: to make its
  /// client and to ask it takes longer than all else that is done here for a call. Safe for many
  /// threads.
  static final class Source {
    private final Asking library;
    private volatile @Nullable Envelope made;

    Source(Asking library) {
      this.library = library;
    }

    Envelope get() {
      var known = made;
      return known != null ? known : make();
    }

    private synchronized Envelope make() {
      var known = made;
      if (known != null) return known;
      var fresh = Transport.asked(library);
      made = fresh;
      return fresh;
    }
  }

  /// Makes a library send something.
  @FunctionalInterface
  interface Asking {
    /// Has the library send what it is asked, with this.
    void ask(Transport transport);
  }
}
