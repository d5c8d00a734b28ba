package dev.superstep.mcp;

import java.time.Duration;

/// The most that a server may send and take. A server that passes the limit of a message loses its
/// connection; what passes another limit is refused or left out. Immutable; each method returns a
/// changed copy.
///
/// @param messageBytes of one message
/// @param depth of the nesting of one message
/// @param tools that are taken from a list; so many resources and prompts, too
/// @param pages that are read of a list
/// @param definitionCharacters of a tool: its description and its schemas
/// @param mediaBytes of one picture or recording in a result
/// @param progress reports of one call that are told on
/// @param start time until a server has answered the greeting
/// @param request time of a request that is no call of a tool
/// @param call time of a call, if nothing around it ends earlier
public record McpLimits(
    int messageBytes,
    int depth,
    int tools,
    int pages,
    int definitionCharacters,
    int mediaBytes,
    int progress,
    Duration start,
    Duration request,
    Duration call) {
  private static final McpLimits STANDARD =
      new McpLimits(
          8 << 20,
          64,
          500,
          50,
          64_000,
          4 << 20,
          1_000,
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10));

  public McpLimits {
    positive("messageBytes", messageBytes);
    positive("depth", depth);
    positive("tools", tools);
    positive("pages", pages);
    positive("definitionCharacters", definitionCharacters);
    positive("mediaBytes", mediaBytes);
    positive("progress", progress);
    positive("start", start);
    positive("request", request);
    positive("call", call);
  }

  /// Messages of 8 MiB, 500 tools on 50 pages, a minute to start, 30 seconds for a request and ten
  /// minutes for a call.
  public static McpLimits standard() {
    return STANDARD;
  }

  /// With another limit on messages.
  public McpLimits messageBytes(int most) {
    return new McpLimits(
        most,
        depth,
        tools,
        pages,
        definitionCharacters,
        mediaBytes,
        progress,
        start,
        request,
        call);
  }

  /// With other limits on lists.
  public McpLimits lists(int mostTools, int mostPages) {
    return new McpLimits(
        messageBytes,
        depth,
        mostTools,
        mostPages,
        definitionCharacters,
        mediaBytes,
        progress,
        start,
        request,
        call);
  }

  /// With other limits of time.
  public McpLimits times(Duration toStart, Duration aRequest, Duration aCall) {
    return new McpLimits(
        messageBytes,
        depth,
        tools,
        pages,
        definitionCharacters,
        mediaBytes,
        progress,
        toStart,
        aRequest,
        aCall);
  }

  private static void positive(String name, int value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }
}
