package dev.superstep.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/// A request and the answer to it, as the server below gives them. For the thread of the request.
public interface Exchange {
  /// `GET`, `POST` and so on.
  String method();

  /// The path, as the client wrote it.
  String rawPath();

  /// The query without its question mark, as the client wrote it; empty if there is none.
  String rawQuery();

  /// The values of a header, whatever the case of its name.
  List<String> headers(String name);

  /// The number of headers.
  int headerCount();

  /// The address of the client.
  String address();

  /// The body, which can be read once.
  InputStream body();

  /// Sends the status and the headers, at the latest when the first bytes are flushed.
  ///
  /// @param length of the body, or -1 if it is not known
  OutputStream begin(int status, Map<String, String> headers, long length) throws IOException;

  /// The status of the answer that has begun; 0 before one has.
  int begunStatus();

  /// Looks whether the client has closed its connection. Only while an answer of unknown length is
  /// sent.
  boolean isClientGone();

  /// Turns the connection into a WebSocket.
  ///
  /// @throws HttpFailure 501 if the server below cannot
  default void upgrade(SocketUpgrade to, Map<String, String> headers) throws IOException {
    throw new HttpFailure(501, "There are no WebSockets here. Use server-sent events.");
  }

  /// Breaks off the answer that has begun, so that the client sees that it is not whole. Does
  /// nothing before one has begun.
  void abort();
}
