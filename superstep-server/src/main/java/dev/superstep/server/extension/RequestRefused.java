package dev.superstep.server.extension;

import java.util.LinkedHashMap;
import java.util.Map;

/// The refusal of a request, which the client gets as its status and `{"detail": "..."}`. Has no
/// stack trace, since it is an answer.
public final class RequestRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Map<String, String> headers;

  /// A refusal with a status of HTTP.
  ///
  /// @param status from 400 to 599
  /// @param reason for the client: what was wrong, and what to do
  public RequestRefused(int status, String reason) {
    this(status, reason, Map.of());
  }

  private RequestRefused(int status, String reason, Map<String, String> headers) {
    super(reason, null, false, false);
    this.status = status;
    this.headers = headers;
  }

  /// Returns a copy with one more header of the answer.
  public RequestRefused with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new RequestRefused(status, reason(), more);
  }

  /// The status of HTTP.
  public int status() {
    return status;
  }

  /// The reason for the client.
  public String reason() {
    return String.valueOf(getMessage());
  }

  /// Headers of the answer.
  public Map<String, String> headers() {
    return headers;
  }
}
