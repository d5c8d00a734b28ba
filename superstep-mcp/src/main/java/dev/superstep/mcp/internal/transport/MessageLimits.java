package dev.superstep.mcp.internal.transport;

import java.time.Duration;

/// The most that the messages of a server may have and take.
///
/// @param messageBytes of one message
/// @param depth of the nesting of one message
/// @param progress reports of one request that are told on
/// @param request time of a message that has no answer
/// @param call time of the longest request
public record MessageLimits(
    int messageBytes, int depth, int progress, Duration request, Duration call) {}
