package dev.superstep.middleware.hosted;

import dev.superstep.message.Citation;
import dev.superstep.message.HostedCall;
import dev.superstep.model.ChatReply;
import java.util.Map;
import java.util.TreeMap;

/// The calls of tools at the vendor in a turn. Immutable.
///
/// @param agent whose turn it was
/// @param model the URL of the model
/// @param calls how often each tool was called, by the vendor's name of it, such as `web_search`
/// @param citations the number of sources that the reply names
public record HostedUse(String agent, String model, Map<String, Integer> calls, int citations) {
  public HostedUse {
    calls = java.util.Collections.unmodifiableMap(new TreeMap<>(calls));
  }

  /// The use of a turn, by its reply.
  public static HostedUse of(String agent, ChatReply reply) {
    var calls = new TreeMap<String, Integer>();
    for (var call : HostedCall.of(reply.message())) {
      calls.merge(call.tool(), 1, Integer::sum);
    }
    var citations = Citation.of(reply.message()).size();
    return new HostedUse(agent, reply.model().url(), calls, citations);
  }
}
