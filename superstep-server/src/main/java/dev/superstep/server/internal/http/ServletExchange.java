package dev.superstep.server.internal.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A request of a servlet container. Paths are those below the place where the servlet is mounted.
public final class ServletExchange implements Exchange, AsyncListener {
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final String path;
  // A container takes its request back when it ends.
  private final String method;
  private final String address;
  private boolean hasBegun;
  private int begunStatus;
  private volatile boolean isGone;

  private ServletExchange(HttpServletRequest request, HttpServletResponse response, String path) {
    this.request = request;
    this.response = response;
    this.path = path;
    this.method = request.getMethod();
    this.address = request.getRemoteAddr();
  }

  /// A request that is for the servlet.
  ///
  /// @return empty if its path is written in a way that does not show what is below the servlet
  public static Optional<ServletExchange> of(
      HttpServletRequest request, HttpServletResponse response) {
    var mount = mount(request);
    var whole = request.getRequestURI();
    if (!whole.startsWith(mount)) return Optional.empty();
    var below = whole.substring(mount.length());
    if (!below.isEmpty() && !below.startsWith("/")) return Optional.empty();
    return Optional.of(new ServletExchange(request, response, below.isEmpty() ? "/" : below));
  }

  /// The path that belongs to the container. That of a servlet for `/` is empty, although the
  /// container says otherwise.
  private static String mount(HttpServletRequest request) {
    boolean isBelow = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
    return request.getContextPath() + (isBelow ? request.getServletPath() : "");
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String rawPath() {
    return path;
  }

  @Override
  public String rawQuery() {
    var query = request.getQueryString();
    return query == null ? "" : query;
  }

  @Override
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  @Override
  public int headerCount() {
    return Collections.list(request.getHeaderNames()).stream()
        .mapToInt(name -> headers(name).size())
        .sum();
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public InputStream body() {
    try {
      return request.getInputStream();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Override
  public OutputStream begin(int status, Map<String, String> headers, long length)
      throws IOException {
    if (isGone) throw new IOException("the request has ended");
    if (hasBegun) throw new IllegalStateException("the answer has begun");
    hasBegun = true;
    begunStatus = status;
    response.setStatus(status);
    headers.forEach((name, value) -> {
      // Only the first version of HTTP knows it.
      if (!name.equals("Connection") || request.getProtocol().startsWith("HTTP/1.")) {
        response.setHeader(name, value);
      }
    });
    if (length >= 0) response.setContentLengthLong(length);
    return new Body(response.getOutputStream());
  }

  @Override
  public int begunStatus() {
    return begunStatus;
  }

  /// Sends nothing more. A servlet has no way to make that visible in HTTP itself; clients of
  /// LangGraph ask for the status of the run then.
  @Override
  public void abort() {
    if (hasBegun) isGone = true;
  }

  /// Ends the exchange from another thread: nothing is sent any more.
  public void end() {
    isGone = true;
  }

  /// The bytes for the client. A container that ends may let who writes to it wait for ever.
  private final class Body extends OutputStream {
    private final OutputStream out;

    Body(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      checkOpen();
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      checkOpen();
      out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      checkOpen();
      out.flush();
    }

    @Override
    public void close() throws IOException {
      if (!isGone) out.close();
    }

    private void checkOpen() throws IOException {
      if (isGone) throw new IOException("the request has ended");
    }
  }

  /// A container says this when a write fails, so at the second heartbeat after the client left.
  @Override
  public boolean isClientGone() {
    return isGone;
  }

  @Override
  public void onError(AsyncEvent event) {
    isGone = true;
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    isGone = true;
  }

  @Override
  public void onComplete(AsyncEvent event) {
    isGone = true;
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // It is begun once.
  }
}
