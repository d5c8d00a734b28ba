package dev.superstep.server.internal.http;

import java.util.LinkedHashMap;
import java.util.Map;

/// The failure of a request, which the client gets as its status and its message. Has no stack
/// trace, since it is an answer.
public final class HttpFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Map<String, String> headers;

  /// @param status from 400 to 599
  public HttpFailure(int status, String message) {
    this(status, message, Map.of());
  }

  private HttpFailure(int status, String message, Map<String, String> headers) {
    super(message, null, false, false);
    this.status = status;
    this.headers = headers;
  }

  /// Returns a copy with one more header of the answer.
  public HttpFailure with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new HttpFailure(status, text(), more);
  }

  /// The status of HTTP.
  public int status() {
    return status;
  }

  /// The text for the client.
  public String text() {
    return String.valueOf(getMessage());
  }

  /// Headers of the answer.
  public Map<String, String> headers() {
    return headers;
  }
}
