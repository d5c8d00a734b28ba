package dev.superstep.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.exceptions.WebSocketException;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// A request of Jetty.
final class JettyExchange implements Exchange {
  private static final int LOOK_BYTES = 1_024;

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final ServerWebSocketContainer sockets;
  private boolean isUpgraded;
  private int begunStatus;
  private boolean isAborted;
  private boolean hasDropped;

  JettyExchange(
      Request request, Response response, Callback callback, ServerWebSocketContainer sockets) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.sockets = sockets;
  }

  /// Ends the request, unless its connection has become a WebSocket.
  void complete() {
    if (isUpgraded) return;
    if (isAborted) callback.failed(new EofException("the answer was broken off"));
    else callback.succeeded();
    // The next request has begun in what was dropped; its client sends it again elsewhere.
    if (hasDropped) endPoint().close();
  }

  private EndPoint endPoint() {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String rawPath() {
    var path = request.getHttpURI().getPath();
    return path == null ? "" : path;
  }

  @Override
  public String rawQuery() {
    var query = request.getHttpURI().getQuery();
    return query == null ? "" : query;
  }

  @Override
  public List<String> headers(String name) {
    return request.getHeaders().getValuesList(name);
  }

  @Override
  public int headerCount() {
    return request.getHeaders().size();
  }

  @Override
  public String address() {
    return Request.getRemoteAddr(request);
  }

  @Override
  public InputStream body() {
    return Content.Source.asInputStream(request);
  }

  @Override
  public OutputStream begin(int status, Map<String, String> headers, long length)
      throws IOException {
    if (response.isCommitted()) throw new IllegalStateException("the answer has begun");
    response.setStatus(status);
    begunStatus = status;
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
    // What is still to come of the request is read by nobody, so the connection ends: its client
    // has to know, or it sends its next request there.
    if (isModern() && !request.consumeAvailable()) response.getHeaders().put("Connection", "close");
    if (length >= 0) response.getHeaders().put("Content-Length", length);
    else if (isModern()) response.getHeaders().put("Transfer-Encoding", "chunked");
    return Content.Sink.asOutputStream(response);
  }

  @Override
  public int begunStatus() {
    return begunStatus;
  }

  @Override
  public void upgrade(SocketUpgrade to, Map<String, String> headers) throws IOException {
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
    try {
      isUpgraded = sockets.upgrade((_, _, _) -> new JettySocket(to), request, response, callback);
    } catch (WebSocketException failed) {
      throw new IOException("the connection does not become a WebSocket", failed);
    }
    if (!isUpgraded) throw new HttpFailure(400, "The request is no proper WebSocket handshake.");
  }

  /// Only in chunks does the end of an answer differ from the end of its server.
  private boolean isModern() {
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
  }

  @Override
  public void abort() {
    isAborted = response.isCommitted() && !response.hasLastWrite();
  }

  /// Jetty does not read while an answer is sent, so the end of the client's side stays unseen.
  /// Reading here is in nobody's way then. A client that sends its next request before it has this
  /// answer loses what is read of it, so such a connection ends with the answer.
  @Override
  public boolean isClientGone() {
    var endPoint = endPoint();
    try {
      if (!endPoint.isOpen()) return true;
      int read = endPoint.fill(emptyBuffer());
      hasDropped |= read > 0;
      return read < 0;
    } catch (IOException _) {
      return true;
    }
  }

  /// Jetty's buffers are in flush mode: empty, with room behind the limit.
  private static ByteBuffer emptyBuffer() {
    return ByteBuffer.allocate(LOOK_BYTES).limit(0);
  }
}
