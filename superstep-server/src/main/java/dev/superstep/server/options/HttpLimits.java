package dev.superstep.server.options;

import java.time.Duration;

/// Limits on requests, so that no client can take the server from the others. Immutable.
///
/// @param bodyBytes of a request's body
/// @param bodyDepth of nested values in a body
/// @param headerBytes of a request's line and headers together
/// @param headers how many a request may have
/// @param requestsPerSecond of one principal or, before it is known, one address; as many may come
///   at once in a burst of ten seconds
/// @param streams that one principal may have open at once
/// @param connections that all clients together may have
/// @param heartbeat between the comments of a stream
/// @param stall how long a client may take nothing of what it is sent, or send nothing of its
///   request
public record HttpLimits(
    int bodyBytes,
    int bodyDepth,
    int headerBytes,
    int headers,
    int requestsPerSecond,
    int streams,
    int connections,
    Duration heartbeat,
    Duration stall) {
  private static final HttpLimits DEFAULTS =
      new HttpLimits(
          16 * 1024 * 1024,
          200,
          16 * 1024,
          100,
          200,
          1_000,
          20_000,
          Duration.ofSeconds(3),
          Duration.ofSeconds(30));

  public HttpLimits {
    atLeastOne("bodyBytes", bodyBytes);
    atLeastOne("bodyDepth", bodyDepth);
    atLeastOne("headerBytes", headerBytes);
    atLeastOne("headers", headers);
    atLeastOne("requestsPerSecond", requestsPerSecond);
    atLeastOne("streams", streams);
    atLeastOne("connections", connections);
    positive("heartbeat", heartbeat);
    positive("stall", stall);
  }

  /// Bodies of 16 MiB, 200 requests a second, 1,000 streams of a principal, a heartbeat every 3
  /// seconds.
  public static HttpLimits defaults() {
    return DEFAULTS;
  }

  /// With larger or smaller bodies.
  public HttpLimits withBody(int bytes, int depth) {
    return new HttpLimits(
        bytes,
        depth,
        headerBytes,
        headers,
        requestsPerSecond,
        streams,
        connections,
        heartbeat,
        stall);
  }

  /// With larger or smaller headers.
  public HttpLimits withHeaders(int bytes, int most) {
    return new HttpLimits(
        bodyBytes,
        bodyDepth,
        bytes,
        most,
        requestsPerSecond,
        streams,
        connections,
        heartbeat,
        stall);
  }

  /// With another rate for each principal and address.
  public HttpLimits withRequestsPerSecond(int most) {
    return new HttpLimits(
        bodyBytes, bodyDepth, headerBytes, headers, most, streams, connections, heartbeat, stall);
  }

  /// With more or fewer open streams of a principal.
  public HttpLimits withStreams(int most) {
    return new HttpLimits(
        bodyBytes,
        bodyDepth,
        headerBytes,
        headers,
        requestsPerSecond,
        most,
        connections,
        heartbeat,
        stall);
  }

  /// With more or fewer connections.
  public HttpLimits withConnections(int most) {
    return new HttpLimits(
        bodyBytes,
        bodyDepth,
        headerBytes,
        headers,
        requestsPerSecond,
        streams,
        most,
        heartbeat,
        stall);
  }

  /// With other times for streams.
  public HttpLimits withTimes(Duration beat, Duration longestStall) {
    return new HttpLimits(
        bodyBytes,
        bodyDepth,
        headerBytes,
        headers,
        requestsPerSecond,
        streams,
        connections,
        beat,
        longestStall);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be more than 0, was " + value);
    }
  }
}
