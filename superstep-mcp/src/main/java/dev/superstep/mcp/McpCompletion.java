package dev.superstep.mcp;

import java.util.List;

/// Values that a server proposes for an argument.
///
/// @param values at most 100
/// @param hasMore whether there are others
public record McpCompletion(List<String> values, boolean hasMore) {
  public McpCompletion {
    values = List.copyOf(values);
  }
}
