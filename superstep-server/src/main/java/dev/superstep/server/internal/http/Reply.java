package dev.superstep.server.internal.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import tools.jackson.databind.JsonNode;

/// The answer to a request. Immutable.
public sealed interface Reply {
  /// Headers beside those that every answer has.
  Map<String, String> headers();

  /// Returns the same with one more header.
  Reply with(String header, String value);

  /// A JSON value.
  record Value(int status, JsonNode body, Map<String, String> headers) implements Reply {
    @Override
    public Value with(String header, String value) {
      return new Value(status, body, more(headers, header, value));
    }
  }

  /// An answer without a body.
  record Empty(int status, Map<String, String> headers) implements Reply {
    @Override
    public Empty with(String header, String value) {
      return new Empty(status, more(headers, header, value));
    }
  }

  /// Bytes of another kind, such as a page.
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares or changes what is sent.
  record Bytes(int status, String type, byte[] body, Map<String, String> headers) implements Reply {
    @Override
    public Bytes with(String header, String value) {
      return new Bytes(status, type, body, more(headers, header, value));
    }
  }

  /// Server-sent events, with a comment at regular times while none comes.
  record Events(FrameSource source, Map<String, String> headers) implements Reply {
    @Override
    public Events with(String header, String value) {
      return new Events(source, more(headers, header, value));
    }
  }

  /// A JSON value that takes long: status 200 and blanks are sent while it is awaited.
  ///
  /// @param body waits for the value; interrupted when the client is gone
  record Later(Callable<JsonNode> body, Map<String, String> headers) implements Reply {
    @Override
    public Later with(String header, String value) {
      return new Later(body, more(headers, header, value));
    }
  }

  /// The connection becomes a WebSocket.
  ///
  /// @param opening the request for it
  /// @param opener makes what answers its messages
  record Upgrade(Call opening, SocketHandler.Opener opener, Map<String, String> headers)
      implements Reply {
    @Override
    public Upgrade with(String header, String value) {
      return new Upgrade(opening, opener, more(headers, header, value));
    }
  }

  /// Status 200 and a JSON value.
  static Reply ok(JsonNode body) {
    return new Value(200, body, Map.of());
  }

  /// Status 204.
  static Reply nothing() {
    return new Empty(204, Map.of());
  }

  private static Map<String, String> more(Map<String, String> before, String name, String value) {
    var all = new LinkedHashMap<>(before);
    all.put(name, value);
    return java.util.Collections.unmodifiableMap(all);
  }
}
