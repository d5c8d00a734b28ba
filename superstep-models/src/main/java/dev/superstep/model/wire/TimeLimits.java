package dev.superstep.model.wire;

import dev.superstep.model.ChatRequest;
import java.time.Duration;

/// The time limits of a call.
///
/// @param whole for the call
/// @param first until the reply begins
/// @param idle for a silence within the reply
public record TimeLimits(Duration whole, Duration first, Duration idle) {
  /// The limits of a request. A reply that is not streamed begins when it is complete, so it has a
  /// limit of its own.
  static TimeLimits of(ChatRequest request, boolean isStreamed) {
    var first = isStreamed ? request.firstByteTimeout() : request.wholeReplyTimeout();
    return new TimeLimits(request.timeout(), first, request.idleTimeout());
  }
}
