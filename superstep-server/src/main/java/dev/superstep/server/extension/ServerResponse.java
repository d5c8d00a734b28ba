package dev.superstep.server.extension;

import dev.superstep.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/// The answer of an extension. Immutable.
public sealed interface ServerResponse {
  /// Headers beside those that every answer has.
  Map<String, String> headers();

  /// Returns a copy with one more header.
  ServerResponse with(String header, String value);

  /// A JSON value.
  static ServerResponse json(int status, Json body) {
    return new Value(status, body, Map.of());
  }

  /// No body.
  static ServerResponse empty(int status) {
    return new Empty(status, Map.of());
  }

  /// Server-sent events, with a comment at regular times while none comes.
  static ServerResponse events(EventSource source) {
    return new Events(source, Map.of());
  }

  /// A JSON value that takes long: status 200 and blanks are sent while it is awaited.
  ///
  /// @param body waits for the value; interrupted when the client is gone
  static ServerResponse later(Callable<Json> body) {
    return new Later(body, Map.of());
  }

  /// A JSON value.
  record Value(int status, Json body, Map<String, String> headers) implements ServerResponse {
    @Override
    public Value with(String header, String value) {
      return new Value(status, body, more(headers, header, value));
    }
  }

  /// An answer without a body.
  record Empty(int status, Map<String, String> headers) implements ServerResponse {
    @Override
    public Empty with(String header, String value) {
      return new Empty(status, more(headers, header, value));
    }
  }

  /// Server-sent events.
  record Events(EventSource source, Map<String, String> headers) implements ServerResponse {
    @Override
    public Events with(String header, String value) {
      return new Events(source, more(headers, header, value));
    }
  }

  /// A JSON value that takes long.
  record Later(Callable<Json> body, Map<String, String> headers) implements ServerResponse {
    @Override
    public Later with(String header, String value) {
      return new Later(body, more(headers, header, value));
    }
  }

  private static Map<String, String> more(Map<String, String> before, String name, String value) {
    var all = new LinkedHashMap<>(before);
    all.put(name, value);
    return Collections.unmodifiableMap(all);
  }
}
