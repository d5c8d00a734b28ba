package dev.superstep.mcp;

import dev.superstep.json.Json;

/// Asks a model for a server. Without one, servers are refused. Safe for many threads.
@FunctionalInterface
public interface McpSampler {
  /// Answers `sampling/createMessage`.
  ///
  /// @param server the name of the server that asks
  /// @param request its parameters, as the server wrote them: not to be trusted
  /// @return the result as the protocol has it: role, content and model
  Json answer(String server, Json request) throws Exception;
}
